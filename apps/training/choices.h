// This file chooses options of a training that the user did not give. It also reports options that have no effect or do
// not fit.
#pragma once

#include <optional>
#include <string>

#include "apps/cli/command_line.h"
#include "apps/run/train_options.h"

namespace softalign::apps {

// Sets --task and --model if the user did not give them. The folder of the corpus determines the task, and the task
// determines the model.
void follow(const CommandLine& line, TrainOptions& options);

// Returns true if the model uses this option, for example "dropout".
bool uses(const models::ModelOptions& model, const std::string& option);

// Returns notes about options that the user gave although the model does not use them.
std::string note_unused(const CommandLine& line, models::ModelOptions model);

// Throws UsageError if the defaults of other options have changed an option that the user gave. For example, --summary
// once is not possible with --model cho.
void check_kept(const CommandLine& line, models::ModelOptions given, models::ModelOptions completed, models::Task task);

// Returns the names and values of the options that the model uses, with one option per line.
std::string describe_options(models::ModelOptions model);

// Returns the task that the corpus folder names in its file `task`, if there is such a file. Throws data::Error if the
// file names no task.
std::optional<models::Task> task_of_folder(const TrainOptions& options);

// Throws UsageError if the model cannot learn the task of the corpus. The message names the models that can. The file
// `task` of the corpus folder names the task. If this file is missing, the columns of the first training line usually
// show the task (data::task_of_line). If neither shows the task, the function does nothing.
void check_model_fits(const TrainOptions& options);

// Sets defaults of --picture-height and --picture-width. They are the size of the first training picture, scaled so
// that its longer side is at most 64. Throws data::Error if there is no picture, or if it cannot be read.
void set_size_as_first(TrainOptions& options, bool height, bool width);

}  // namespace softalign::apps
