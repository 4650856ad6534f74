// `train --replay` repeats a step with a NaN or infinity from diverged.safetensors.
#pragma once

#include <cstddef>
#include <string>

namespace softalign::apps {

// Repeats the step (or the validation) in `path`. Reports its number, its pairs, its loss and the first number that is
// not finite. `threads` 0 means as many as the training had.
std::string replay(const std::string& path, std::size_t threads);

}  // namespace softalign::apps
