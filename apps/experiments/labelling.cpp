#include "apps/experiments/labelling.h"

#include <algorithm>

#include "apps/experiments/learning.h"
#include "autograd/no_grad.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"

namespace apps {

namespace {

constexpr std::size_t tested = 200, longest = 64;
constexpr std::uint64_t of_the_test = 1000;  // a seed that no training has

std::size_t largest(const autograd::Real* row, std::size_t n) {
  return static_cast<std::size_t>(std::max_element(row, row + n) - row);
}

}  // namespace

Taught::Taught(models::Labeller::Layer layer, const std::string& positions, const LabellingTask& task,
               std::uint64_t seed)
    : task_(task.name),
      params_(autograd::Random(seed)),
      model_({.layer = layer,
              .positions = positions,
              .words = SequenceBatches::words(),
              .labels = SequenceBatches::words(),
              .places = longest},
             params_) {
  const std::size_t shortest = task.shortest == 0 ? task.length : task.shortest, kinds = task.length - shortest + 1;
  std::vector<SequenceBatches> batches;  // of each length
  for (std::size_t n = shortest; n <= task.length; ++n)
    batches.emplace_back(task.name, n, task.batch, task.steps / kinds + 1, seed);
  learn(params_, task.steps, task.rate, [&](std::size_t step) {
    const Labelled batch = batches[step % kinds].labelled(step / kinds);
    return mean(cross_entropy(model_(batch.words, batch.B).logits, batch.labels, {.ignore = -1}));
  });
}

Reached Taught::reach(std::size_t length, const std::function<bool(std::size_t, std::size_t)>& counts) const {
  const autograd::NoGrad no_grad;
  const Labelled test = SequenceBatches(task_, length, tested, 1, of_the_test).labelled(0);
  const auto [logits, weights] = model_(test.words, test.B);
  const std::size_t V = SequenceBatches::words(), n = test.n;
  double right = 0, hits = 0, mass = 0, all = 0;
  for (std::size_t row = 0; row < n * test.B; ++row) {
    if (counts && !counts(row / test.B, n)) continue;
    ++all;
    right += largest(logits.value().data() + row * V, V) == static_cast<std::size_t>(test.labels[row]);
    if (!weights.defined()) continue;
    const autograd::Real* looks = weights.value().data() + row * n;
    const auto gold = static_cast<std::size_t>(test.gold[row]);
    hits += largest(looks, n) == gold;
    mass += static_cast<double>(looks[gold]);
  }
  if (!weights.defined()) return {100 * right / all, {}, {}};
  return {100 * right / all, 100 * hits / all, 100 * mass / all};
}

}  // namespace apps
