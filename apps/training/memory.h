// Estimates the memory of a training before its first step, and makes the tables of `train --dry-run`.
#pragma once

#include <string>

#include "apps/ranks/communicator.h"
#include "apps/run/memory.h"
#include "apps/run/run_folder.h"
#include "apps/training/training_data.h"

namespace softalign::apps {

// The largest amount of memory at one time: parameters, gradients, the optimiser's state, the corpus, and the largest
// batch of training or validation, estimated from small batches (apps/run/memory.h). With several processes, it
// includes the exchange of gradients and the other processes on this machine. Parameters do not change. data::Error as
// soon as it is known that the machine has less.
MemoryNeed training_memory(const Run& run, const TrainingData& data, const Communicator& ranks);

// The same for resuming from a saved state, which is read completely before its numbers are copied.
void check_memory_to_resume(const Run& run, const RunFolder& folder, const Communicator& ranks);

// A table of the parameters by name and shape, their number, the batches and how much of them is padding, and the
// memory of training.
std::string describe_training(const Run& run, const TrainingData& data, const MemoryNeed& need);

}  // namespace softalign::apps
