// This file is the program `train` without its main function, so that apps/python can train with the same options,
// messages and files.
#pragma once

#include <functional>

#include "apps/cli/command_line.h"
#include "apps/ranks/communicator.h"
#include "apps/training/metrics.h"
#include "apps/training/training_task.h"

namespace softalign::apps {

// StartTraining reads the options of a training, which `line` declares. It then calls `body` and returns its result.
using StartTraining = std::function<int(CommandLine& line, const std::function<int()>& body)>;

// TrainingListener has a function that the training calls after each epoch. It may be empty.
struct TrainingListener {
  std::function<void(const EpochReport& report, const TrainingTask& task)> epoch;
};

// Trains the model that the options describe, and writes its run folder. Returns the exit status of the program
// `train`: 0, or 130 if the training was interrupted (interrupts.h) and saved its state.
int train(const StartTraining& start, const TrainingListener& listener, const Communicator& ranks);

}  // namespace softalign::apps
