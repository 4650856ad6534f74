#include "apps/training/training_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "apps/ranks/gradient_sum.h"
#include "apps/run/batched_inference.h"
#include "apps/run/memory_need.h"
#include "apps/run/run_text.h"
#include "apps/terminal/progress.h"
#include "apps/training/seq2seq_task.h"
#include "autograd/kernels.h"
#include "autograd/memory.h"
#include "autograd/optimise/optimiser.h"
#include "autograd/threads/blas.h"
#include "autograd/threads/shards.h"
#include "autograd/var.h"
#include "data/corpus/batches.h"
#include "models/search/hypothesis.h"
#include "models/training/batch_gradient.h"

namespace softalign::apps {

namespace {

const char* const advice = "A smaller --batch, --max-length, --hidden or --max-vocabulary needs less";

// Returns the memory that the training needs from its start to its end.
MemoryNeed lasting(const LoadedRun& run, const Communicator& ranks) {
  const TrainOptions& o = run.options;
  constexpr double waste = 1.1;  // for small blocks of the memory pool
  const double numbers = static_cast<double>(run.params.count()) * sizeof(autograd::Real), parameters = waste * numbers;
  MemoryNeed need{{"corpus, vocabularies and program", std::max(0., taken_bytes() - numbers)},
                  {"parameters", parameters}};
  const auto moments = static_cast<double>(autograd::arrays_kept(o.optimiser));
  if (moments > 0) need.push_back({fmt::format("memory of {}", name_of(o.optimiser.kind)), moments * parameters});
  if (o.ema > 0) need.push_back({"their moving average", parameters});
  const std::size_t exchange = GradientSum::bytes(ranks, run.params, trainer_options(o).gradient_dtype);
  if (exchange > 0) need.push_back({"the exchange of gradients", static_cast<double>(exchange)});
  return need;
}

// Adds the memory of the other processes on this machine, if all processes share the limit. Each process needs as much
// as this one.
MemoryNeed with_others(MemoryNeed need, const Communicator& ranks) {
  const auto others = static_cast<double>(autograd::memory_limit().addresses ? 0 : ranks.here() - 1);
  if (others > 0)
    need.push_back(
        {fmt::format("{} times the same for other processes on this machine", others), others * total(need)});
  return need;
}

struct Size {
  std::size_t pairs = 0, source = 0, target = 0;  // words of the longest, without </s>
};

Size size_of(const std::vector<data::EncodedPair>& pairs, const data::Indices& batch) {
  Size size{batch.size(), 1, 1};
  for (const std::size_t i : batch) {
    size.source = std::max(size.source, pairs[i].source.size());
    size.target = std::max(size.target, pairs[i].target.size());
  }
  return size;
}

// Returns a function that makes a pair with so many words. If sources have positions of their own, the pair has the
// longest source of the corpus.
BatchMemory::Example example_of(const std::vector<data::EncodedPair>& pairs) {
  const auto shorter = [](const data::EncodedPair& a, const data::EncodedPair& b) {
    return std::pair(a.source.size(), a.places) < std::pair(b.source.size(), b.places);
  };
  const data::EncodedPair& longest = *std::max_element(pairs.begin(), pairs.end(), shorter);
  return [longest](std::size_t source, std::size_t target) {
    data::EncodedPair pair = longest;
    if (pair.places == 0) pair.source.assign(source, data::unk_id);
    pair.target.assign(target, data::unk_id);
    pair.sure = {data::Link{0, 0}};
    return pair;
  };
}

// Returns the memory of the batch that needs most.
MemoryPart most_of(const std::string& what, const std::vector<Size>& batches, double at_once,
                   const BatchMemory::Example& example, const std::function<void(const data::Batch&)>& work) {
  Size longest;
  for (const Size& size : batches) {
    longest.source = std::max(longest.source, size.source);
    longest.target = std::max(longest.target, size.target);
  }
  const BatchMemory memory(work, example, longest.source, longest.target);
  MemoryPart most;
  for (const Size& size : batches) {
    const double bytes = at_once * memory(size.pairs, size.source, size.target);
    if (bytes < most.bytes) continue;
    most = {fmt::format("{} ({} pairs of up to {} and {} words)", what, size.pairs, size.source, size.target), bytes};
  }
  return most;
}

MemoryPart largest_step(const LoadedRun& run, const std::vector<data::EncodedPair>& pairs) {
  const TrainOptions& o = run.options;
  std::vector<Size> sizes;
  for (const data::Indices& batch : data::plan_batches(pairs, batch_options(o), 1))
    sizes.push_back(size_of(pairs, batch));
  const std::size_t shards = autograd::worthwhile_shards(run.params, autograd::threads());
  const models::Objective objective = objective_in(o, 0, o.epochs, {});
  return most_of("gradients and the largest batch", sizes, 1, example_of(pairs), [&](const data::Batch& batch) {
    autograd::Random random(o.common.seed);
    models::add_batch_gradient(*run.model, run.params, batch, objective, random, {.shards = shards});
    run.params.zero_grad();
  });
}

MemoryPart largest_validation(const LoadedRun& run, const std::vector<data::EncodedPair>& pairs) {
  const std::size_t workers = autograd::worthwhile_shards(run.params, autograd::threads());
  std::vector<Size> sizes;
  for (const data::Indices& batch : teacher_forced_batches(run.params, pairs)) sizes.push_back(size_of(pairs, batch));
  return most_of("the largest batch of validation", sizes, static_cast<double>(std::min(workers, sizes.size())),
                 example_of(pairs), [&](const data::Batch& batch) {
                   const autograd::NoGrad no_grad;
                   run.model->teacher_forced(batch);
                 });
}

// Returns the memory of translating the validation sources, for BLEU. Three searches for few words give
//   m(B, L) = a + B (b + c L)
// for B sources as long as the longest one, and L words each. An untrained model writes as many words as it may.
MemoryPart largest_search(const LoadedRun& run, const std::vector<data::EncodedPair>& pairs) {
  if (!task_of(run.options).has_source() || pairs.empty()) return {};
  const auto shorter = [](const data::EncodedPair& a, const data::EncodedPair& b) {
    return a.source.size() < b.source.size();
  };
  const data::EncodedPair& longest = *std::max_element(pairs.begin(), pairs.end(), shorter);
  models::BeamOptions options;
  options.weights = false;
  const auto height = [&](std::size_t B, std::size_t L) {
    options.max_length = L;
    return arrays_at_most([&] { search(*run.model, run.params, std::vector<data::EncodedPair>(B, longest), options); });
  };
  constexpr std::size_t few = 2, many = 4, L_1 = 8, L_2 = 24;
  height(few, L_1);  // the first search lays weights out in memory
  const double small = height(few, L_1), more = height(many, L_1), longer = height(many, L_2);
  const std::size_t L = models::length_limit(0, longest.source.size() + 1, most_caption_words(run.options));
  const double c = std::max(0., longer - more) / (many * (L_2 - L_1));
  const double b = std::max(0., more - small) / (many - few) - c * L_1;
  const double a = small - few * (b + c * L_1);
  const std::size_t B = std::min(usual_batch, pairs.size());
  const std::size_t workers = std::min(autograd::worthwhile_shards(run.params, autograd::threads()),
                                       (pairs.size() + usual_batch - 1) / usual_batch);
  const double one = a + static_cast<double>(B) * (b + c * static_cast<double>(L));
  return {fmt::format("translating for validation ({} sources of up to {} words, {} words each)", B,
                      longest.source.size(), L),
          BatchMemory::waste * static_cast<double>(workers) * std::max(0., one)};
}

}  // namespace

MemoryNeed training_memory(const LoadedRun& run, const TrainingData& data, const Communicator& ranks) {
  MemoryNeed need = lasting(run, ranks), least = need;
  least.push_back({"gradients", static_cast<double>(run.params.count()) * sizeof(autograd::Real)});
  check_memory("this training", with_others(least, ranks), advice);
  const autograd::KernelsInForce kernels(trainer_options(run.options).kernels);
  const MemoryPart step = largest_step(run, encode(run, data.train.pairs));
  const std::vector<data::EncodedPair> valid = encode(run, data.valid.pairs);
  const auto smaller = [](const MemoryPart& a, const MemoryPart& b) { return a.bytes < b.bytes; };
  need.push_back(std::max({step, largest_validation(run, valid), largest_search(run, valid)}, smaller));
  need = with_others(need, ranks);
  check_memory("this training", need, advice);
  return need;
}

void check_memory_to_resume(const LoadedRun& run, const RunFolder& folder, const Communicator& ranks) {
  MemoryNeed need = lasting(run, ranks);
  std::error_code none;
  const auto size = std::filesystem::file_size(folder.last(), none);
  if (!none) need.push_back({folder.last() + ", as it is read", 2.2 * static_cast<double>(size)});
  check_memory("resuming this training", with_others(need, ranks), advice);
}

namespace {

// Returns "batches per epoch: 375; 1.9% of their words are padding", for example.
std::string describe_batches(const LoadedRun& run, const TrainingData& data) {
  const std::vector<data::EncodedPair> pairs = encode(run, data.train.pairs);
  const std::vector<data::Indices> batches = data::plan_batches(pairs, batch_options(run.options), 1);
  std::size_t words = 0, held = 0;
  for (const data::Indices& indices : batches) {
    const data::Batch batch = data::make_batch(pairs, indices);
    for (const std::size_t length : batch.source_lengths) words += length;
    words += target_words(batch);
    held += batch.size * (batch.source_steps + batch.targets.steps);
  }
  return fmt::format("batches per epoch: {}; {:.1f}% of their words are padding\n", format_count(batches.size()),
                     held > 0 ? 100.0 * static_cast<double>(held - words) / static_cast<double>(held) : 0.0);
}

}  // namespace

std::string describe_training(const LoadedRun& run, const TrainingData& data, const MemoryNeed& need) {
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
         fmt::format("parameters: {}, {}\nThe training needs about {} of the {} of memory that {} has: {}\n",
                     format_count(run.params.count()),
                     format_bytes(static_cast<double>(run.params.count()) * sizeof(autograd::Real)),
                     format_bytes(total(need)), format_bytes(static_cast<double>(limit.bytes)), limit.of,
                     describe(need));
}

}  // namespace softalign::apps
