#include "apps/experiments/sequences.h"

#include "apps/experiments/learning.h"
#include "apps/experiments/test_seed.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"
#include "autograd/var.h"
#include "data/synthetic/sequences.h"

namespace softalign::apps {

namespace {

constexpr std::size_t letters = 26, numbers = 26, colours = 4;

// Returns the index of a number token: "3" -> 2.
std::size_t number(const std::string& token) { return static_cast<std::size_t>(std::stoul(token)) - 1; }

// Numbers have the first ids. Letters follow, and then letters with a colour.
Id id_of(const std::string& token) {
  const char first = token.front();
  if (first < 'a' || first > 'z') return static_cast<Id>(number(token));
  const auto letter = static_cast<std::size_t>(first - 'a');
  if (token.size() == 1) return static_cast<Id>(numbers + letter);
  return static_cast<Id>(numbers + letters + letter * colours + number(token.substr(2)));
}

}  // namespace

SequenceBatches::SequenceBatches(const std::string& task, std::size_t length, std::size_t B, std::size_t batches,
                                 std::uint64_t seed)
    : B_(B),
      pairs_(data::sample_sequences(
          task, {.pairs = B * batches, .min_length = length, .max_length = length, .seed = seed})) {}

std::size_t SequenceBatches::words() { return numbers + letters + letters * colours; }

Labelled SequenceBatches::labelled(std::size_t batch) const {
  Labelled all{.n = pairs_.front().source.size(),
               .B = B_,
               .words = {},
               .labels = {},
               .gold = Ids(B_ * pairs_.front().source.size())};
  for (std::size_t t = 0; t < all.n; ++t)
    for (std::size_t b = 0; b < B_; ++b) {
      const data::Pair& pair = pairs_[batch * B_ + b];
      all.words.push_back(id_of(pair.source[t]));
      all.labels.push_back(id_of(pair.target[t]));
    }
  for (std::size_t b = 0; b < B_; ++b)
    for (const data::Link& link : pairs_[batch * B_ + b].gold->sure)
      all.gold[link.target * B_ + b] = static_cast<Id>(link.source);
  return all;
}

Recalled SequenceBatches::recalled(std::size_t batch) const {
  Recalled all{
      .n = pairs_.front().source.size() / 2, .B = B_, .keys = {}, .values = {}, .asked = {}, .answers = {}, .gold = {}};
  for (std::size_t i = 0; i < all.n; ++i)
    for (std::size_t b = 0; b < B_; ++b) {
      const data::Tokens& source = pairs_[batch * B_ + b].source;
      all.keys.push_back(id_of(source[2 * i]) - static_cast<Id>(numbers));
      all.values.push_back(id_of(source[2 * i + 1]));
    }
  for (std::size_t b = 0; b < B_; ++b) {
    const data::Pair& pair = pairs_[batch * B_ + b];
    all.asked.push_back(id_of(pair.source.back()) - static_cast<Id>(numbers));
    all.answers.push_back(id_of(pair.target.front()));
    all.gold.push_back(static_cast<Id>(pair.gold->sure.front().source / 2));
  }
  return all;
}

namespace {

constexpr std::size_t tested = 200, longest = 64;

}  // namespace

TrainedTagger::TrainedTagger(models::Tagger::Layer layer, layers::PositionKind positions, const TaggingTask& task,
                             std::uint64_t seed)
    : task_(task.name),
      params_(autograd::Random(seed)),
      model_({.layer = layer,
              .positions = positions,
              .words = SequenceBatches::words(),
              .labels = SequenceBatches::words(),
              .max_positions = longest},
             params_) {
  const std::size_t shortest = task.shortest == 0 ? task.length : task.shortest, kinds = task.length - shortest + 1;
  std::vector<SequenceBatches> batches;  // one per length
  for (std::size_t n = shortest; n <= task.length; ++n)
    batches.emplace_back(task.name, n, task.batch, task.steps / kinds + 1, seed);
  learn(params_, task.steps, task.rate, [&](std::size_t step) {
    const Labelled batch = batches[step % kinds].labelled(step / kinds);
    return mean(cross_entropy(model_(batch.words, batch.B).logits, batch.labels, {.ignore = -1}));
  });
}

TaggerScores TrainedTagger::reach(std::size_t length,
                                  const std::function<bool(std::size_t, std::size_t)>& counts) const {
  const autograd::NoGrad no_grad;
  const Labelled test = SequenceBatches(task_, length, tested, 1, early_test_seed).labelled(0);
  const auto [logits, weights] = model_(test.words, test.B);
  const std::size_t V = SequenceBatches::words(), n = test.n;
  Hits right, hits, mass;
  for (std::size_t row = 0; row < n * test.B; ++row) {
    if (counts && !counts(row / test.B, n)) continue;
    right.count(largest(logits, row, V) == static_cast<std::size_t>(test.labels[row]));
    if (!weights.defined()) continue;
    const auto gold = static_cast<std::size_t>(test.gold[row]);
    hits.count(largest(weights, row, n) == gold);
    mass.count(static_cast<double>(weights.value()[row * n + gold]));
  }
  if (!weights.defined()) return {right.percent(), {}, {}};
  return {right.percent(), hits.percent(), mass.percent()};
}

}  // namespace softalign::apps
