#include "models/gradient.h"

#include <numeric>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/shards.h"
#include "data/batch_split.h"

namespace models {

double add_gradient(const Seq2Seq& model, const autograd::Params& params, const Batch& batch, const Training& training,
                    std::size_t shards) {
  const std::vector<Batch> parts = data::split(batch, shards);
  const auto words = std::accumulate(batch.target_lengths.begin(), batch.target_lengths.end(), std::size_t{0});
  const Random streams(training.random.next());
  std::vector<double> losses(parts.size());
  autograd::run_shards(params, parts.size(), [&](std::size_t shard) {
    Random random = streams.split(shard);
    const Training own{random, training.label_smoothing};
    const Var loss = sum(model.forced(parts[shard], &own).losses) * (Real(1) / static_cast<Real>(words));
    losses[shard] = static_cast<double>(loss.value().item());
    backward(loss);
  });
  return std::accumulate(losses.begin(), losses.end(), 0.0);
}

}  // namespace models
