// This file estimates the memory of a training before its first step, and makes the tables of `train --dry-run`.
#pragma once

#include <string>

#include "apps/ranks/communicator.h"
#include "apps/run/memory_need.h"
#include "apps/run/run_folder.h"
#include "apps/training/training_data.h"

namespace softalign::apps {

// Estimates the largest amount of memory that the training needs at one time. It counts parameters, gradients, the
// optimiser's state, the corpus, and the largest batch of training or validation. The function measures the memory of
// smaller batches to estimate the memory of the largest batch (apps/run/memory_need.h). With several processes, it adds
// the exchange of gradients and the other processes on this machine. The measurement does not change the parameters.
// Throws data::Error as soon as the estimate exceeds the memory of the machine.
MemoryNeed training_memory(const LoadedRun& run, const TrainingData& data, const Communicator& ranks);

// Checks whether the memory suffices to resume a training. While the program loads the training state, it needs memory
// for the file and for the arrays into which it copies the numbers.
void check_memory_to_resume(const LoadedRun& run, const RunFolder& folder, const Communicator& ranks);

// Returns a table of the parameters with names and shapes, and their number. It also describes the batches, how much of
// them is padding, and the memory of the training.
std::string describe_training(const LoadedRun& run, const TrainingData& data, const MemoryNeed& need);

}  // namespace softalign::apps
