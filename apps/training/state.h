// The file last.safetensors contains the state of a training. A training can continue from it as if it had never
// stopped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/training/training_task.h"
#include "autograd/optimise/schedule.h"
#include "models/checkpoint.h"

namespace softalign::apps {

// EpochSums has sums over the steps of the current epoch so far.
struct EpochSums {
  std::size_t batches = 0;     // number of batches that were used
  std::vector<double> losses;  // sum of each loss over the targets (TrainingTask::losses)
  double gradient_norms = 0;   // sum of the gradient norms of all steps
  std::size_t targets = 0;
};

struct TrainingState {
  // These fields say where in the shuffled data the training is. They suffice, because the order of an epoch's batches
  // depends only on the TrainingTask and the epoch.
  std::size_t epoch = 1;  // number of the current epoch
  std::size_t steps = 0;  // number of steps since the start of the training
  EpochSums sums;
  // These fields describe the best epoch so far. best_epoch is 0 if no epoch has ended.
  std::size_t best_epoch = 0;
  double best_score = 0;        // the largest Validation::quality
  std::uint64_t best_hash = 0;  // hash of its parameters; 0: the state is from an earlier build
  std::size_t waited = 0;       // epochs since the best epoch, or since the last restart
  std::size_t learnt = 0;       // 1: Validation::learnt was true in this epoch
  // `restarts` counts how often the training has started again from other initial weights. start_epoch is the first
  // epoch after the last restart, and start_steps is the number of steps before this epoch.
  std::size_t restarts = 0, start_epoch = 1, start_steps = 0;
  std::uint64_t random_position = 0;  // position in the random stream of the task
  std::uint64_t optimiser_steps = 0;
  autograd::Schedule::State schedule;
  // Byte lengths of the files that grow.
  std::int64_t metrics_bytes = 0, timing_bytes = 0, history_bytes = 0;
  // `parts` is the number of shards of a batch, which is TrainingTask::shards() summed over the processes. 0 means that
  // an earlier build saved the state.
  std::size_t parts = 0;
  // These hashes (DataIdentity) show whether the data have changed since the state was saved.
  std::uint64_t training_hash = 0, validation_hash = 0;
};

// Returns the number of steps for this number of batches, with `gradient_accumulation` batches per step. The last step
// may have fewer batches.
std::size_t steps_of(std::size_t batches, std::size_t gradient_accumulation);

// Returns the state before the first step.
TrainingState first_state(const TrainingTask& task);

// Writes the parameters, the state, and the arrays in `memory` (of the optimiser and of averages) to last.safetensors.
// It writes the complete file or nothing.
void save_state(const std::string& path, const TrainingTask& task, const models::NamedArrays& memory,
                const TrainingState& state);
// Restores the parameters of the task and the arrays of `memory`, and returns the state. Throws data::Error if the file
// is damaged, or if it does not belong to this task and its data. Also throws data::Error if a number in an array is
// not finite, or if a counter is impossible. For example, the number of steps must fit the number of batches and
// `gradient_accumulation`, the number of batches per step.
TrainingState load_state(const std::string& path, const TrainingTask& task, const models::NamedArrays& memory,
                         std::size_t gradient_accumulation);

std::uint64_t hash_of(const models::NamedArrays& parameters);

// Returns true if the file contains the parameters of the state's best epoch. Throws data::Error if the file is
// missing, is damaged, or comes from another run.
bool holds_best(const std::string& path, const TrainingTask& task, const TrainingState& state);

}  // namespace softalign::apps
