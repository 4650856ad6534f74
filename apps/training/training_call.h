// This file is the program `train` without its main function, so that apps/python can train with the same options,
// messages and files.
#pragma once

#include <functional>

#include "apps/cli/command_line.h"
#include "apps/ranks/communicator.h"
#include "apps/training/metrics.h"
#include "apps/training/training_task.h"

namespace softalign::apps {

// A StartTraining is a function that gives values to the options that `line` declares, for example from the command
// line. It then calls `body`, which trains, and returns the result of `body`.
using StartTraining = std::function<int(CommandLine& line, const std::function<int()>& body)>;

// TrainingListener has a function that the training calls after each epoch. The function may be empty.
struct TrainingListener {
  std::function<void(const EpochReport& report, const TrainingTask& task)> epoch;
};

// Trains the model that the options describe, and writes its run folder. Returns the exit status of the program
// `train`: 0, or 130 if the training was interrupted (interrupts.h) and saved its state.
int train(const StartTraining& start, const TrainingListener& listener, const Communicator& ranks);

}  // namespace softalign::apps
