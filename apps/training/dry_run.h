// What a training would take.
#pragma once

#include <string>

#include "apps/run/memory.h"
#include "apps/run/run_folder.h"
#include "apps/training/data.h"

namespace softalign::apps {

// A table of the parameters by name and shape, their number, the batches and how much of them is padding, and the
// memory of training (apps/training/memory.h).
std::string describe_training(const Run& run, const TrainingData& data, const MemoryNeed& need);

}  // namespace softalign::apps
