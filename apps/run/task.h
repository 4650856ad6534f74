// What a corpus is there to teach, and which models learn it.
#pragma once

#include <string>

#include "apps/run/train_options.h"

namespace softalign::apps {

// The task that the folder of the corpus names in its file `task`; "" where there is none. std::runtime_error: the file
// names no task.
std::string task_of_folder(const TrainOptions& options);

// UsageError for a model that does not learn what the corpus holds, naming those that do. What it holds its folder
// says, or else its first line where that leaves no doubt.
void check_model_fits(const TrainOptions& options);

}  // namespace softalign::apps
