#include "apps/training/thread_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "autograd/threads/blas.h"
#include "autograd/threads/shards.h"

namespace softalign::apps {

ThreadWork thread_work(const TrainingTask& task, const Communicator& ranks) {
  std::size_t examples = 0;
  for (const autograd::Indices& batch : task.batches(1)) examples = std::max(examples, batch.size());
  const std::size_t shards = task.shards();
  if (shards == 1) return {static_cast<std::size_t>(autograd::threads()), examples};
  const std::size_t parts = autograd::parts_of_batch(examples, shards, ranks.count());
  return {(parts + ranks.count() - 1) / ranks.count(), examples};
}

std::string note_of_threads(const ThreadWork& work, std::size_t threads, const std::string& name) {
  if (work.threads >= threads) return "";
  return fmt::format("note: using {} of {} threads: batches of {} {} have work for {}\n", work.threads, threads,
                     work.examples, name, work.threads);
}

std::size_t use_working_threads(const ThreadWork& work) {
  autograd::set_threads(static_cast<int>(work.threads));
  return work.threads;
}

}  // namespace softalign::apps
