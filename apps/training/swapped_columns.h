// This file writes the note of `train` for a training and a validation file whose columns have the languages in
// opposite orders.
#pragma once

#include <string>

#include "apps/run/run_folder.h"
#include "apps/run/train_options.h"

namespace softalign::apps {

// Returns the note, with a command that swaps the columns. `run` has the vocabularies of the training pairs. If other
// tables lie in the folders of both files, the note names the file that differs from most of them. Otherwise it has a
// command for each of the two files.
std::string note_of_swapped(const LoadedRun& run, const TrainOptions& options);

}  // namespace softalign::apps
