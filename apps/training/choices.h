// Options of a training that were given, options that follow from them, and options without effect.
#pragma once

#include <optional>
#include <string>

#include "apps/cli/command_line.h"
#include "apps/run/train_options.h"

namespace softalign::apps {

// Chooses options that were not given: the task follows from the folder of the corpus, and the model from the task.
void follow(const CommandLine& line, TrainOptions& options);

// Notes about options that were given although the model does not use them.
std::string note_unused(const CommandLine& line, models::ModelOptions model);

// UsageError for a given option that the defaults of other options have changed: --model cho --summary once.
void check_kept(const CommandLine& line, models::ModelOptions given, models::ModelOptions completed, models::Task task);

// Those that the model uses, a line each.
std::string describe_options(models::ModelOptions model);

// The task that the folder of the corpus names in its file `task`, if there is one. data::Error: the file
// names no task.
std::optional<models::Task> task_of_folder(const TrainOptions& options);

// UsageError for a model that cannot learn the task of the corpus, with the models that can. The folder says the task,
// or its first line, if that is unambiguous. A line without a tab does not count, because the reader of the file
// reports the missing tab.
void check_model_fits(const TrainOptions& options);

// Defaults of --picture-height and --picture-width: the size of the first training picture, with the longer side at
// most 64. data::Error: there is no picture, or it cannot be read.
void set_size_as_first(TrainOptions& options, bool height, bool width);

}  // namespace softalign::apps
