// This file finds the first NaN or infinity of a training. It repeats the step with anomaly detection, and stores the
// step in diverged.safetensors (apps/training/replay.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "apps/training/task.h"

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
void save_failed(const std::string& path, const Task& task, const FailedStep& step);

}  // namespace softalign::apps
