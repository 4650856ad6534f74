#include "models/stories/sukhbaatar.h"

#include <fmt/format.h>

#include "autograd/ops/elementwise.h"
#include "models/families.h"
#include "models/stories/story.h"

namespace softalign::models {

namespace {

MemoryNetwork::Options network_options(const ModelOptions& o) {
  return {.words = o.source_vocabulary, .width = o.embedding, .sentences = o.known_positions, .hops = o.hops};
}

}  // namespace

Hops::Hops(const ModelOptions& o, const autograd::Params& p)
    : network_(network_options(o), p),
      words_(network_.last_words(), o, o.embedding, p, layers::scheme(o.initialiser)) {}

Memory Hops::memory(const Batch& batch) const { return {batch.places, network_.keep(stories_of(batch))}; }

OneWord::Answer Hops::answer(const Memory& memory, const Ids& sources, const Training*) const {
  using Look = MemoryNetwork::Look;
  const auto [u, p] = network_.look(memory.as<MemoryNetwork::Kept>(), sources, Look::softmax, change_);
  Answer answer{u, {p.front()}};
  for (std::size_t h = 1; h < p.size(); ++h) answer.weights.alignment = answer.weights.alignment + p[h];
  if (p.size() == 1) return answer;
  answer.weights.alignment = answer.weights.alignment * (1 / static_cast<Real>(p.size()));
  for (std::size_t h = 0; h < p.size(); ++h)
    answer.weights.heads.push_back({.layer = h, .weights = reshape(p[h], {sources.size(), 1, p[h].dim(1)})});
  return answer;
}

std::unique_ptr<Decoder> Hops::reweighted(const Reweight& change) const {
  auto changed = std::make_unique<Hops>(*this);
  changed->change_ = change;
  return changed;
}

Family sukhbaatar() {
  Family f{.name = "memory-network",
           .author = "sukhbaatar",
           .title = "answers to stories",
           .attention = "dot",
           .task = "questions"};
  f.uses = {"model", "embedding", "hops", "tie", "known-positions", "source-vocabulary", "target-vocabulary"};
  f.conflicts = [](const ModelOptions& o) {
    return conflicts_of_own_attention(o) +
           Conflicts{{o.tie == "target",
                      "tie target: an answer is not read, so there is no table of target words; take "
                      "all, one table for the last look and the answers"},
                     {o.tie == "all" && o.source_vocabulary != o.target_vocabulary,
                      fmt::format("tie all: {} source and {} target words; one shared vocabulary expected",
                                  o.source_vocabulary, o.target_vocabulary)}};
  };
  f.make = make<Sukhbaatar>;
  f.defaults = {{"embedding", "32"}, {"hops", "3"}, {"tie", "\"all\""},       {"epochs", "30"},
                {"lr", "0.005"},     {"clip", "5"}, {"label-smoothing", "0"}, {"word-dropout", "0"}};
  return f;
}

}  // namespace softalign::models
