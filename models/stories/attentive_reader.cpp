#include "models/stories/attentive_reader.h"

#include <algorithm>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/gather.h"
#include "autograd/ops/shape.h"
#include "models/decoder.h"
#include "models/family.h"
#include "models/stories/story.h"

namespace softalign::models {

namespace {

// SideBySide has R sequences of at most J words. Word j of row r is at j*R + r.
struct SideBySide {
  Ids words;                         // (J*R), <pad> after the last word of a row
  std::vector<std::size_t> lengths;  // (R)
};

SideBySide side_by_side(const Ids& words, std::size_t J) {
  const std::size_t R = words.size() / J;
  SideBySide all{Ids(words.size(), data::pad_id), std::vector<std::size_t>(R)};
  for (std::size_t r = 0; r < R; ++r)
    for (std::size_t j = 0; j < J && words[r * J + j] >= 0; ++j, ++all.lengths[r])
      all.words[j * R + r] = words[r * J + j];
  return all;
}

layers::RecurrentStack make_stack(const autograd::Params& p, const ModelOptions& o, std::size_t input,
                                  bool bidirectional, const layers::InitialiserConfig& init) {
  return layers::recurrent_stack(p, o.cell, {.input = input, .hidden = o.hidden, .bidirectional = bidirectional}, init);
}

}  // namespace

AttentiveAnswer::AttentiveAnswer(const ModelOptions& o, const autograd::Params& p,
                                 const layers::InitialiserConfig& init)
    : dropout_{o.dropout, o.variational_dropout},
      attention_(
          p / "attention",
          {.score = layers::ScoreKind::additive, .query = o.hidden, .memory = 2 * o.hidden, .size = o.attention_size},
          init),
      W_rg_((p / "answer").declare("W_rg", {2 * o.hidden, o.hidden}, init.input(1))),
      W_ug_((p / "answer").declare("W_ug", {o.hidden, o.hidden}, init.input(1))),
      words_({}, o, o.hidden, p, init) {}

Memory AttentiveAnswer::memory(const std::vector<std::size_t>& sentences, const Var& y, const Var& u) const {
  return {sentences, Source{attention_.memory(sentences, y), u}};
}

// r = sum_i p_i y_i        g = tanh(W_rg r + W_ug u)
OneWord::Answer AttentiveAnswer::answer(const Memory& memory, const Ids& sources, const Training* training) const {
  const auto& source = memory.as<Source>();
  const Var u = gather(source.u, sources);  // (R, H)
  const layers::AttentionOutput r = attention_(u, source.y, sources, attention_.start(source.y)).attended;
  const Var g = tanh(matmul(r.context, W_rg_) + matmul(u, W_ug_));  // (R, H)
  return {dropout_(g, randomness(training)), weights_of(r)};
}

std::unique_ptr<Decoder> AttentiveAnswer::with_attention_hook(const AttentionHook& hook) const {
  auto changed = std::make_unique<AttentiveAnswer>(*this);
  changed->attention_ = attention_.with_attention_hook(hook);
  return changed;
}

Hermann::Hermann(const ModelOptions& o, const autograd::Params& p)
    : initialiser_(layers::initialiser_config(*o.initialiser, o.hidden)),
      dropout_{o.dropout, o.variational_dropout},
      words_(p / "source", o.source_vocabulary, o.embedding, initialiser_.embedding),
      sentence_(make_stack(p / "sentence", o, o.embedding, false, initialiser_)),
      story_(make_stack(p / "story", o, o.hidden, true, initialiser_)),
      question_(make_stack(p / "question", o, o.embedding, false, initialiser_)),
      decoder_(o, p, initialiser_) {}

Memory Hermann::read(const Batch& batch, const Training* training) const {
  const Stories stories = stories_of(batch);
  Random* const random = randomness(training);
  const auto last = [&](const layers::RecurrentStack& stack, const Ids& words) {  // (R, H)
    const SideBySide all = side_by_side(words, stories.J);
    const Var x = dropout_(words_(all.words, all.lengths.size()), random);  // (J, R, E)
    return stack(x, all.lengths).forward.front().last.h;
  };
  const Var s = reshape(last(sentence_, stories.sentences), {stories.S, stories.B, sentence_.width()});
  const Var y = story_(s, stories.lengths).states;  // (S, B, 2H)
  return decoder_.memory(stories.lengths, y, last(question_, stories.questions));
}

Family hermann() {
  Family f{.name = "attentive-reader",
           .author = "hermann",
           .title = "questions about stories",
           .attention = layers::ScoreKind::additive,
           .task = Task::questions};
  f.uses = {"model",
            "cell",
            "embedding",
            "hidden",
            "attention-size",
            "dropout",
            "variational-dropout",
            "initialiser",
            "source-vocabulary",
            "target-vocabulary"};
  f.conflicts = [](const ModelOptions& o) {
    return conflicts_of_own_attention(o, layers::ScoreKind::additive) +
           Conflicts{{o.tie != Tie::none,
                      "tie has no effect, because the output layer of attentive-reader "
                      "cannot share an embedding table. Remove --tie"}};
  };
  f.make = make<Hermann>;
  f.defaults = {{"cell", "\"gru\""},      {"embedding", "48"},   {"hidden", "48"},     {"attention-size", "48"},
                {"dropout", "0"},         {"epochs", "20"},      {"lr", "0.003"},      {"clip", "5"},
                {"label-smoothing", "0"}, {"word-dropout", "0"}, {"max-length", "300"}};
  return f;
}

}  // namespace softalign::models
