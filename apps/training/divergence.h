// This file ends a training whose loss, gradient or parameters are not finite. It repeats the step with anomaly
// detection to find the first NaN or infinity, stores the step in diverged.safetensors (apps/training/replay.h), and
// reports both.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>

#include "apps/ranks/communicator.h"
#include "apps/run/run_files.h"
#include "apps/training/state.h"
#include "apps/training/training_task.h"

namespace softalign::apps {

// FailedStep describes a training step that failed before it updated the parameters, or a validation that failed.
struct FailedStep {
  std::size_t steps = 0;  // number of steps before it
  std::size_t epoch = 0;
  std::uint64_t random_position = 0;       // position of the task's random stream before it
  std::size_t targets = 0;                 // number of targets in all of its batches
  std::vector<autograd::Indices> batches;  // empty for a validation
};

// Calls `compute` and finds the first number that is not finite. Returns a text that names the parameter, or the op and
// its inputs (autograd/anomaly_detection.h), with this number. If all numbers are finite, it returns nothing, and
// messages then contain the text nothing_bad. The function sets the gradients to zero.
inline constexpr const char* nothing_bad = "none, every value and gradient is finite";
std::optional<std::string> first_bad_number(const autograd::Params& params, const std::function<void()>& compute);

// Writes the step as a complete checkpoint, or writes nothing. The checkpoint has the parameters, the examples, and the
// position of the random number generator.
void save_failed(const std::string& path, const TrainingTask& task, const FailedStep& step);

// GuardedTraining has the parts of a training that the next functions need.
struct GuardedTraining {
  TrainingTask& task;
  const Communicator& ranks;
  const RunFolder& folder;
  const TrainingState& state;
  std::function<void()> check_writing;  // throws if the folder may not be written
};

// Call this function after a training step has thrown the exception `reason`. `repeat` must compute this step again. If
// the cause is a number that is not finite, the function stores the step for `train --replay` and throws
// models::Diverged. The message names the step, its examples, and the parameter or op with the first such number. If
// there is no such number, the function returns.
void stop_if_diverged(const GuardedTraining& training, const std::exception& reason, const FailedStep& failed,
                      const std::function<void()>& repeat);

// Computes the results of the model on the validation data (TrainingTask::validate). Throws models::Diverged, like
// stop_if_diverged(), if a parameter, a result or the loss is not finite.
Validation validate_or_stop(const GuardedTraining& training);

}  // namespace softalign::apps
