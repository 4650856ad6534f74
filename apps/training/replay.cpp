#include "apps/training/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "apps/training/divergence.h"
#include "apps/training/recorded_pairs.h"
#include "apps/training/seq2seq_task.h"
#include "autograd/threads/blas.h"
#include "autograd/threads/shards.h"
#include "autograd/var.h"
#include "data/io/error.h"
#include "models/config.h"
#include "models/registry.h"
#include "models/training/batch_gradient.h"

namespace softalign::apps {

namespace {

// Returns a saved number. Throws data::Error if the number is missing or negative.
std::size_t counter(const models::Checkpoint& saved, const std::string& name) {
  const auto found = saved.counters.find(name);
  if (found == saved.counters.end() || found->second < 0)
    throw data::Error(
        data::ErrorKind::unsupported_format,
        fmt::format("{}: the file has no count of {}. --replay needs the file diverged.safetensors of a run",
                    saved.path, name));
  return static_cast<std::size_t>(found->second);
}

// Returns the baseline of hard attention, or an empty array for soft attention.
autograd::Array baseline_of(const models::Checkpoint& saved, const TrainOptions& options) {
  if (!options.model.hard_attention) return {};
  for (const models::NamedArray& kept : saved.training)
    if (kept.name == reward_baseline && kept.array.size() > 0) return kept.array;
  throw data::Error(data::ErrorKind::damaged_file, fmt::format("{}: {} is missing", saved.path, reward_baseline));
}

struct Model {
  TrainOptions options;
  autograd::Params params{autograd::Random(0)};
  std::unique_ptr<models::Seq2Seq> seq2seq;
};

Model model_of(const models::Checkpoint& saved, const RecordedPairs& recorded) {
  Model model;
  models::read_config(table(model.options.common), saved.config, saved.path);
  models::read_config(table(model.options), saved.config, saved.path);
  complete(model.options);
  model.options.model.source_vocabulary = recorded.source_words;
  model.options.model.target_vocabulary = recorded.target_words;
  check_memory_of_model(model.options.model);
  model.seq2seq = models::make_model(model.options.model, model.params);
  models::restore(saved.path, saved.parameters, models::named_arrays(model.params));
  return model;
}

data::Batch batch_of(const std::vector<data::EncodedPair>& pairs) {
  data::Indices all(pairs.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  return data::make_batch(pairs, all);
}

}  // namespace

std::string replay(const std::string& path, std::size_t threads) {
  const models::Checkpoint saved = models::load_checkpoint(path);
  const RecordedPairs recorded = parse_recorded(saved.examples, path);
  const Model model = model_of(saved, recorded);
  const std::size_t steps = counter(saved, "steps"), targets = counter(saved, "targets");
  const bool validation = counter(saved, "batches") == 0;
  constexpr std::size_t most_threads = 1024;
  const std::size_t its_threads = std::clamp<std::size_t>(counter(saved, "threads"), 1, most_threads);
  autograd::set_threads(static_cast<int>(threads > 0 ? threads : its_threads));
  const TrainOptions& o = model.options;
  const autograd::KernelsInForce kernels(trainer_options(o).kernels);
  autograd::Random random = dropout_stream(o.common.seed);
  random.set_position(counter(saved, "random_position"));
  const models::Objective objective = objective_in(o, steps, counter(saved, "epoch"), baseline_of(saved, o));
  double loss = 0;
  const auto bad = first_bad_number(model.params, [&] {
    for (const std::vector<data::EncodedPair>& pairs : recorded.batches) {
      if (validation) {
        for (const TeacherForcedPair& pair : teacher_force(*model.seq2seq, model.params, pairs))
          for (const float log_prob : pair.log_prob) loss -= static_cast<double>(log_prob);
      } else {
        loss += models::add_batch_gradient(
                    *model.seq2seq, model.params, batch_of(pairs), objective, random,
                    {.shards = autograd::worthwhile_shards(model.params, autograd::threads()), .words = targets})
                    .total();
      }
    }
  });
  std::string text = validation ? fmt::format("validation after step {}", steps) : fmt::format("step {}", steps + 1);
  text += fmt::format(" (epoch {}), pairs: {}\n", counter(saved, "epoch"), recorded.names.size());
  for (const std::string& name : recorded.names) text += fmt::format("  {}\n", name);
  return text + fmt::format("loss: {}, summed over the words\nfirst NaN or Inf: {}\n", loss, bad.value_or(nothing_bad));
}

}  // namespace softalign::apps
