// What one epoch of training came to: a line of metrics.jsonl and one of timing.jsonl (on the screen: table.h).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/training/task.h"

namespace softalign::apps {

struct EpochReport {
  std::size_t epoch = 0;       // from 1
  std::size_t steps = 0;       // since training began
  std::vector<double> losses;  // Task::losses, means over the epoch's targets, as trained (dropout, smoothing)
  double learning_rate = 0;    // of the epoch's last step
  double gradient_norm = 0;    // before clipping, mean over the steps
  bool best = false;
  // Wall-clock figures, kept out of everything that the same seed must give byte for byte.
  double train_seconds = 0, seconds = 0;  // without and with validation
  double words_per_second = 0;            // targets trained on

  // With what the task says of the losses and of the validation that it has just made.
  std::string metrics(const Task& task) const;
  // Of the same length whatever the figures: the training state records how long the files are, and the clock must not
  // get into it.
  std::string timing() const;
};

}  // namespace softalign::apps
