// What a training will take, said before its first step: the machine's memory, and the tables of train --dry-run.
#pragma once

#include <string>

#include "apps/ranks/ranks.h"
#include "apps/run/memory.h"
#include "apps/run/run_folder.h"
#include "apps/training/translation.h"

namespace softalign::apps {

// The most that is taken at once: parameters, gradients, the optimiser's memory, corpus, and the largest batch, be it
// of training or of validation, which small ones tell (apps/run/memory.h); of several processes the exchange of
// gradients too, and as much for each other one on this machine. The run's numbers stay as they are.
// data::Error if the machine has less, as soon as that is known.
MemoryNeed training_memory(const Run& run, const TrainingData& data, const Ranks& ranks);

// The same for going on from a saved state, which is read whole before its numbers go where they belong.
void check_memory_to_resume(const Run& run, const RunFolder& folder, const Ranks& ranks);

// A table of the parameters by name and shape, their number, the batches and how much of them is padding, and the
// memory of training.
std::string describe_training(const Run& run, const TrainingData& data, const MemoryNeed& need);

}  // namespace softalign::apps
