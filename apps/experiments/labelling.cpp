#include "apps/experiments/labelling.h"

#include "apps/experiments/hits.h"
#include "apps/experiments/learning.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"
#include "autograd/var.h"

namespace softalign::apps {

namespace {

constexpr std::size_t tested = 200, longest = 64;
constexpr std::uint64_t of_the_test = 1000;  // a seed that no training has

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
