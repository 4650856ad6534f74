#include "models/stories/memory_network.h"

#include <fmt/format.h>

#include <algorithm>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/gather.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "layers/attention/scores.h"
#include "models/decoder.h"
#include "models/family.h"
#include "models/stories/story.h"

namespace softalign::models {

namespace {

using autograd::Array;
using autograd::Real;

// position_encoding returns l_kj of each sentence, with 0 where the sentence has no word. The shape is (N, J, d) for N
// sentences of at most J words.
Array position_encoding(const Ids& words, std::size_t J, std::size_t d) {
  const std::size_t N = J == 0 ? 0 : words.size() / J;
  Array l = autograd::zeros({N, J, d});
  for (std::size_t n = 0; n < N; ++n) {
    const auto row = words.begin() + static_cast<std::ptrdiff_t>(n * J);
    const auto length = static_cast<std::size_t>(std::find(row, row + static_cast<std::ptrdiff_t>(J), -1) - row);
    for (std::size_t j = 0; j < length; ++j)
      for (std::size_t k = 0; k < d; ++k) {
        const double place = static_cast<double>(j + 1) / static_cast<double>(length);
        const double part = static_cast<double>(k + 1) / static_cast<double>(d);
        l[(n * J + j) * d + k] = static_cast<Real>((1 - place) - part * (1 - 2 * place));
      }
  }
  return l;
}

layers::Initialiser equal_to(const layers::Embedding& table) {
  return [E = table.E](Array& value, autograd::Random&) { std::copy_n(E.value().data(), value.size(), value.data()); };
}

// encoded returns sum_j l_j E x_j of each sentence: (N, d)
Var encoded(const layers::Embedding& E, const Ids& words, const Array& l) {
  Ids known = words;
  std::replace(known.begin(), known.end(), -1, 0);  // l is 0 at these words
  return sum(reshape(E(known), l.shape()) * autograd::constant(l), {1});
}

// relu_of_half sets the negative numbers of the second half of the units of u (R, d) to 0.
Var relu_of_half(const Var& u) {
  const std::size_t d = u.dim(1);
  return autograd::concat({slice(u, 1, 0, d / 2), relu(slice(u, 1, d / 2, d))}, 1);
}

}  // namespace

MemoryNetwork::MemoryNetwork(const Options& o, const autograd::Params& p) : options_(o) {
  // Section 4.2 draws all numbers from N(0, 0.1^2). Here the word tables begin with equal numbers, which are twice as
  // large. A word of the question then matches the same word of a sentence in every hop. Questions that contain a room
  // need this match.
  const layers::Initialiser small = layers::normal(0.1);
  const std::size_t tables = adjacent() ? o.hops + 1 : 2;
  for (std::size_t t = 0; t < tables; ++t) {
    const layers::Initialiser first = t == 0 ? layers::normal(0.2) : equal_to(words_.front());
    words_.emplace_back(p / ("words_" + std::to_string(t)), o.words, o.width, first);
    ages_.emplace_back(p / ("ages_" + std::to_string(t)), o.sentences, o.width, small);
  }
  question_words_ =
      adjacent() ? words_.front() : layers::Embedding(p / "question", o.words, o.width, equal_to(words_.front()));
  if (!adjacent()) H_ = p.declare("H", {o.width, o.width}, small);
}

MemoryNetwork::EmbeddedStories MemoryNetwork::embed(const Stories& stories, const Training* training) const {
  const std::size_t S = stories.S, B = stories.B, d = options_.width;
  const Array l = position_encoding(stories.sentences, stories.J, d);
  const double noise = training != nullptr ? training->time_noise : 0;
  Ids ages(S * B);
  for (std::size_t b = 0; b < B; ++b) {
    std::size_t age = 0;  // number of later sentences, including the empty ones that noise adds
    for (std::size_t i = stories.lengths[b]; i-- > 0; ++age) {
      while (noise > 0 && training->random.uniform() < noise) ++age;
      ages[i * B + b] = static_cast<autograd::Id>(std::min(age, options_.sentences - 1));
    }
  }
  std::vector<Var> m;
  for (std::size_t t = 0; t < words_.size(); ++t)
    m.push_back(reshape(encoded(words_[t], stories.sentences, l), {S, B, d}) + ages_[t](ages, B));
  EmbeddedStories embedded{
      encoded(question_words_, stories.questions, position_encoding(stories.questions, stories.J, d)),
      {},
      {},
      stories.lengths};
  for (std::size_t h = 0; h < options_.hops; ++h) {
    embedded.keys.push_back(m[key_table(h)]);
    embedded.values.push_back(m[value_table(h)]);
  }
  return embedded;
}

MemoryNetwork::Attended MemoryNetwork::attend(const EmbeddedStories& embedded, const Ids& rows, Weighting weighting,
                                              const layers::AttentionHook& hook) const {
  const std::size_t S = embedded.keys.front().dim(0), R = rows.size();
  Array seen = autograd::zeros({R, S});
  for (std::size_t r = 0; r < R; ++r)
    std::fill_n(seen.data() + r * S, embedded.lengths[static_cast<std::size_t>(rows[r])], Real(1));
  Attended attended{gather(embedded.u, rows), {}};
  for (std::size_t h = 0; h < options_.hops; ++h) {
    const Var& c = embedded.values[h];
    const Var e = layers::dot_scores(attended.u, embedded.keys[h], rows);  // (R, S)
    Var p = weighting == Weighting::softmax  ? softmax(e, seen)
            : weighting == Weighting::linear ? e * autograd::constant(seen)
                                             : softmax(autograd::constant(autograd::zeros({R, S})), seen);
    if (hook) {
      const auto of_one_head = [&](const Var& x) { return reshape(x, {R, 1, S}); };
      const Var window = autograd::constant(seen);
      p = reshape(layers::hooked_weights(hook, of_one_head(e), of_one_head(window), false, of_one_head(p), c, h),
                  {R, S});
    }
    const Var u = adjacent() ? attended.u : matmul(attended.u, H_);
    attended.u = u + layers::weighted_sum(p, c, rows);
    if (options_.relu) attended.u = relu_of_half(attended.u);
    attended.weights.push_back(p);
  }
  return attended;
}

MemoryNetwork::Output MemoryNetwork::operator()(const Stories& stories, Weighting weighting) const {
  const Attended attended = attend(embed(stories), autograd::all_rows(stories.B), weighting);
  return {matmul_transposed(attended.u, last_words().E), attended.weights};
}

namespace {

MemoryNetwork::Options network_options(const ModelOptions& o) {
  return {.words = o.source_vocabulary,
          .width = o.embedding,
          .sentences = o.known_positions,
          .hops = o.hops,
          .tying = o.hop_tying,
          .relu = o.hop_relu};
}

}  // namespace

Hops::Hops(const ModelOptions& o, const autograd::Params& p)
    : network_(network_options(o), p),
      words_(network_.last_words(), o, o.embedding, p, layers::initialiser_config(*o.initialiser)) {}

Memory Hops::memory(const Batch& batch, const Training* training) const {
  return {batch.places, network_.embed(stories_of(batch), training)};
}

OneWord::Answer Hops::answer(const Memory& memory, const Ids& sources, const Training* training) const {
  using Weighting = MemoryNetwork::Weighting;
  const Weighting weighting = training != nullptr && training->linear_start ? Weighting::linear : Weighting::softmax;
  const auto [u, p] = network_.attend(memory.as<MemoryNetwork::EmbeddedStories>(), sources, weighting, hook_);
  Answer answer{u, {p.front()}};
  for (std::size_t h = 1; h < p.size(); ++h) answer.weights.matrix = answer.weights.matrix + p[h];
  if (p.size() == 1) return answer;
  answer.weights.matrix = answer.weights.matrix * (1 / static_cast<Real>(p.size()));
  for (std::size_t h = 0; h < p.size(); ++h)
    answer.weights.heads.push_back({.layer = h, .weights = reshape(p[h], {sources.size(), 1, p[h].dim(1)})});
  return answer;
}

std::unique_ptr<Decoder> Hops::with_attention_hook(const AttentionHook& hook) const {
  auto changed = std::make_unique<Hops>(*this);
  changed->hook_ = hook;
  return changed;
}

Family sukhbaatar() {
  Family f{.name = "memory-network",
           .author = "sukhbaatar",
           .title = "questions about stories",
           .attention = layers::ScoreKind::dot,
           .task = Task::questions};
  f.uses = {"model",           "embedding",         "hops",
            "hop-tying",       "hop-relu",          "tie",
            "known-positions", "source-vocabulary", "target-vocabulary"};
  f.conflicts = [](const ModelOptions& o) {
    return conflicts_of_own_attention(o, layers::ScoreKind::dot) +
           Conflicts{{o.tie == Tie::target,
                      "tie target: the model does not read answers, so there is no embedding table to share. Use --tie "
                      "all, which shares one table between the last hop and the answers"},
                     {o.tie == Tie::all && o.source_vocabulary != o.target_vocabulary,
                      fmt::format("tie all needs one shared vocabulary, but there are {} source words and {} target "
                                  "words. Remove --tie",
                                  o.source_vocabulary, o.target_vocabulary)}};
  };
  f.make = make<Sukhbaatar>;
  f.defaults = {{"embedding", "32"},   {"hops", "4"},           {"hop-relu", "true"},  {"tie", "\"all\""},
                {"epochs", "60"},      {"lr", "0.005"},         {"clip", "5"},         {"label-smoothing", "0"},
                {"word-dropout", "0"}, {"linear-start", "0.2"}, {"time-noise", "0.1"}, {"restarts", "2"},
                {"max-length", "300"}};
  return f;
}

}  // namespace softalign::models
