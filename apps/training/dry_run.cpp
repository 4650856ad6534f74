#include "apps/training/dry_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/run/run_text.h"
#include "apps/terminal/progress.h"
#include "autograd/kernels/memory.h"
#include "data/corpus/batches.h"

namespace softalign::apps {

namespace {

// "batches: 375 an epoch; 1.9% of the words they hold is padding"
std::string describe_batches(const Run& run, const TrainingData& data) {
  const std::vector<data::EncodedPair> pairs = encode(run, data.train.pairs);
  const std::vector<data::Indices> batches = data::plan_batches(pairs, batch_options(run.options), 1);
  std::size_t words = 0, held = 0;
  for (const data::Indices& indices : batches) {
    const data::Batch batch = data::make_batch(pairs, indices);
    for (const std::size_t length : batch.source_lengths) words += length;
    words += target_words(batch);
    held += batch.size * (batch.source_steps + batch.target_steps);
  }
  return fmt::format("batches: {} an epoch; {:.1f}% of the words they hold is padding\n", format_count(batches.size()),
                     held > 0 ? 100.0 * static_cast<double>(held - words) / static_cast<double>(held) : 0.0);
}

}  // namespace

std::string describe_training(const Run& run, const TrainingData& data, const MemoryNeed& need) {
  using autograd::format_bytes;
  std::string text;
  std::size_t widest = 0;
  for (const autograd::Parameter& p : run.params.all()) widest = std::max(widest, p.name.size());
  for (const autograd::Parameter& p : run.params.all()) {
    text += fmt::format("{:<{}}  {:>14}  {:>12}\n", p.name, widest, to_string(p.var.shape()),
                        format_count(p.var.value().size()));
  }
  const autograd::MemoryLimit& limit = autograd::memory_limit();
  return text + describe_batches(run, data) +
         fmt::format("parameters: {}, {}\nmemory of training: some {} of the {} that {} has: {}\n",
                     format_count(run.params.count()),
                     format_bytes(static_cast<double>(run.params.count()) * sizeof(autograd::Real)),
                     format_bytes(total(need)), format_bytes(static_cast<double>(limit.bytes)), limit.of,
                     describe(need));
}

}  // namespace softalign::apps
