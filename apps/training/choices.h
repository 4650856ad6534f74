// What a training's command line chose, what follows from it, and what of it changes nothing.
#pragma once

#include <optional>
#include <string>

#include "apps/cli/command_line.h"
#include "apps/run/train_options.h"

namespace softalign::apps {

// What nobody has chosen: the task follows from the folder of the corpus, the model from the task.
void follow(const CommandLine& line, TrainOptions& options);

// Lines on options of models that were given although the model has no use for them.
std::string note_unused(const CommandLine& line, models::ModelOptions model);

// UsageError for an option that was given and that completing the others has changed: --model cho --summary once.
void check_kept(const CommandLine& line, models::ModelOptions given, models::ModelOptions completed, models::Task task);

// Those that the model uses, a line each.
std::string describe_options(models::ModelOptions model);

// The task that the folder of the corpus names in its file `task`, if there is one. data::Error: the file
// names no task.
std::optional<models::Task> task_of_folder(const TrainOptions& options);

// UsageError for a model that does not learn what the corpus holds, naming those that do. What it holds its folder
// says, or else its first line where that leaves no doubt. A line without a tab says nothing: whoever reads the file
// names the tab that is missing.
void check_model_fits(const TrainOptions& options);

// --picture-height and --picture-width that nobody has given: those of the first picture to train on, the longer side
// at most 64. data::Error: there is none, or it cannot be read.
void set_size_as_first(TrainOptions& options, bool height, bool width);

}  // namespace softalign::apps
