#include "apps/training/dry_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "apps/run/run_text.h"
#include "apps/terminal/progress.h"
#include "autograd/storage/pool.h"
#include "data/corpus/batches.h"
#include "models/training/step.h"
#include "models/training/weight_average.h"

namespace apps {

namespace {

// The batch of the first epoch with the most cells, padding included.
data::Batch largest_batch(const Run& run, const TrainingData& data) {
  const TrainOptions& o = run.options;
  const auto pairs = encode(run, data.train.pairs);
  data::Batch largest;
  std::size_t most = 0;
  for (const data::Indices& indices :
       data::plan_batches(pairs, {.sentences = o.batch, .tokens = o.batch_tokens, .seed = o.common.seed}, 1)) {
    data::Batch batch = data::make_batch(pairs, indices);
    const std::size_t cells = batch.size * (batch.source_steps + batch.target_steps);
    if (cells > most) {
      most = cells;
      largest = std::move(batch);
    }
  }
  return largest;
}

}  // namespace

std::string describe_training(Run& run, const TrainingData& data) {
  std::string text;
  std::size_t widest = 0;
  for (const autograd::Parameter& p : run.params.all()) widest = std::max(widest, p.name.size());
  for (const autograd::Parameter& p : run.params.all()) {
    text += fmt::format("{:<{}}  {:>14}  {:>12}\n", p.name, widest, to_string(p.var.shape()),
                        format_count(p.var.value().size()));
  }
  const data::Batch batch = largest_batch(run, data);
  autograd::Optimiser optimiser(run.params, run.options.optimiser);
  std::optional<models::WeightAverage> average;
  if (run.options.ema > 0) average.emplace(run.params, run.options.ema);
  autograd::Random random(run.options.common.seed);
  training_step(*run.model, run.params, optimiser, {batch}, run.options.objective, {.learning_rate = 0}, random);
  return text + fmt::format(
                    "parameters: {}, {}\nmemory of training: {} (parameters, gradients, {}{}, and the largest "
                    "batch: {} pairs, {} source and {} target steps)\n",
                    format_count(run.params.count()), format_bytes(run.params.count() * sizeof(float)),
                    format_bytes(autograd::pool_statistics().system_bytes), run.options.optimiser.kind,
                    average ? ", their moving average" : "", batch.size, batch.source_steps, batch.target_steps);
}

}  // namespace apps
