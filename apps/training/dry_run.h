// What a training would take, measured rather than guessed.
#pragma once

#include <string>

#include "apps/training/data.h"

namespace apps {

// A table of the parameters by name and shape, their number, and the memory of training: that of one real step on the
// largest batch of the corpus. The run's parameters change; it is not to be trained afterwards.
std::string describe_training(Run& run, const TrainingData& data);

}  // namespace apps
