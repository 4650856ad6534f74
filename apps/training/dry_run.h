// What a training would take.
#pragma once

#include <string>

#include "apps/run/memory.h"
#include "apps/run/run_folder.h"

namespace apps {

// A table of the parameters by name and shape, their number, and the memory of training (apps/training/memory.h).
std::string describe_training(const Run& run, const MemoryNeed& need);

}  // namespace apps
