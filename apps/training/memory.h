// What a training will take of the machine's memory, before its first step.
#pragma once

#include "apps/ranks/ranks.h"
#include "apps/run/memory.h"
#include "apps/run/run_folder.h"
#include "apps/training/data.h"

namespace softalign::apps {

// The most that is taken at once: parameters, gradients, the optimiser's memory, corpus, and the largest batch, be it
// of training or of validation, which small ones tell (apps/run/batch_memory.h); of several processes the exchange of
// gradients too, and as much for each other one on this machine. The run's numbers stay as they are.
// std::runtime_error if the machine has less, as soon as that is known.
MemoryNeed training_memory(const Run& run, const TrainingData& data, const Ranks& ranks);

// The same for going on from a saved state, which is read whole before its numbers go where they belong.
void check_memory_to_resume(const Run& run, const RunFolder& folder, const Ranks& ranks);

}  // namespace softalign::apps
