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

// A step that was not taken, or a validation.
struct FailedStep {
  std::size_t steps = 0;  // made before it
  std::size_t epoch = 0;
  std::uint64_t random_position = 0;       // of what the task draws from, before it
  std::size_t targets = 0;                 // of all its batches
  std::vector<autograd::Indices> batches;  // none: the validation data
};

// Calls `compute` and returns where the first number came from that is not finite. It names a parameter, or an op with
// its tensors (autograd/anomaly_detection.h). If all numbers are finite, it returns `nothing_bad`. It clears the
// gradients.
inline constexpr const char* nothing_bad = "none, every value and gradient is finite";
std::optional<std::string> first_bad_number(const autograd::Params& params, const std::function<void()>& compute);

// Writes the step as a complete checkpoint, or writes nothing. The checkpoint has the parameters, the examples and the
// position of the random stream.
void save_failed(const std::string& path, const TrainingTask& task, const FailedStep& step);

// A training as the next functions see it.
struct GuardedTraining {
  TrainingTask& task;
  const Communicator& ranks;
  const RunFolder& folder;
  const TrainingState& state;
  std::function<void()> check_writing;  // throws if the folder may not be written
};

// Throws models::Diverged if the step failed with `reason` because of a number that is not finite. The message names
// the step, its examples, and the parameter or op where the number began; the step is stored for `train --replay`.
// `repeat` computes the step again. Returns if no number is to blame.
void stop_if_diverged(const GuardedTraining& training, const std::exception& reason, const FailedStep& failed,
                      const std::function<void()>& repeat);

// Validates the task. Throws models::Diverged likewise if parameters, results or loss are not finite.
Validation validate_or_stop(const GuardedTraining& training);

}  // namespace softalign::apps
