// The state of a training in last.safetensors. It is sufficient to continue as if the training had never stopped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/training/task.h"
#include "autograd/optimise/schedule.h"
#include "models/checkpoint.h"

namespace softalign::apps {

// Sums over the epoch under way.
struct EpochSums {
  std::size_t batches = 0;     // done
  std::vector<double> losses;  // Task::losses
  double gradient_norms = 0;   // a step each
  std::size_t targets = 0;
};

struct TrainingState {
  // The position in the shuffled data. The order of an epoch's batches depends only on task and epoch.
  std::size_t epoch = 1;  // the one under way
  std::size_t steps = 0;  // since training began
  EpochSums sums;
  // The best epoch so far, 0 if none has ended.
  std::size_t best_epoch = 0;
  double best_score = 0;        // Validation::quality
  std::uint64_t best_hash = 0;  // of its parameters; 0: a state of before this was kept
  std::size_t waited = 0;       // epochs since, or since the last restart
  std::size_t learnt = 0;       // 1: that epoch is Validation::learnt
  // The last restart: how many there were, the first epoch from its weights, and the steps before it.
  std::size_t restarts = 0, start_epoch = 1, start_steps = 0;
  std::uint64_t random_position = 0;  // of what a task draws from
  std::uint64_t optimiser_steps = 0;
  autograd::Schedule::State schedule;
  // Byte lengths of the files that grow.
  std::int64_t metrics_bytes = 0, timing_bytes = 0, history_bytes = 0;
  // The number of shards of a batch: Task::shards() of every process. 0 means a state of an earlier build.
  std::size_t parts = 0;
  // DataIdentity: data that were changed since would be noticed.
  std::uint64_t training_hash = 0, validation_hash = 0;
};

// The number of steps for this number of batches, with `gradient_accumulation` batches per step. The last step may have
// fewer.
std::size_t steps_of(std::size_t batches, std::size_t gradient_accumulation);

// Before the first step.
TrainingState first_state(const Task& task);

// Writes parameters, state and `memory` (of optimiser and averages) to last.safetensors, completely or not at all.
void save_state(const std::string& path, const Task& task, const models::NamedArrays& memory,
                const TrainingState& state);
// Restores the task's parameters and the arrays of `memory` in place. data::Error if the file is damaged or does not
// belong to this task and its data. data::Error also if a counter is impossible for a training with steps of
// `gradient_accumulation` batches, or if a number is not finite, because the file was changed.
TrainingState load_state(const std::string& path, const Task& task, const models::NamedArrays& memory,
                         std::size_t gradient_accumulation);

std::uint64_t hash_of(const models::NamedArrays& parameters);

// Whether the file contains the parameters of the state's best epoch. data::Error: it is missing, damaged, or from
// another run.
bool holds_best(const std::string& path, const Task& task, const TrainingState& state);

}  // namespace softalign::apps
