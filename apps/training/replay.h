// This file carries out `train --replay`. If a training step computes a NaN or an infinity, `train` saves this step in
// the file diverged.safetensors. The function below repeats the step, to find where the NaN or the infinity comes from.
#pragma once

#include <cstddef>
#include <string>

namespace softalign::apps {

// Repeats the step or the validation that the file `path` contains. Returns a report with the number of the step, its
// pairs, its loss and the first number that is not finite. If `threads` is 0, it uses as many threads as the training
// had.
std::string replay(const std::string& path, std::size_t threads);

}  // namespace softalign::apps
