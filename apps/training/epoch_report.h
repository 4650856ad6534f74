// What one epoch of training came to: a line of metrics.jsonl and one of timing.jsonl (on the screen: epoch_table.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "apps/inference/evaluation.h"
#include "data/alignment/record.h"

namespace apps {

struct EpochReport {
  std::size_t epoch = 0;  // from 1
  std::size_t steps = 0;  // since training began
  double train_loss = 0;  // nats per target token, mean over the epoch, as trained (dropout, smoothing)
  // What else was minimised (models/training/losses.h), per target token, before weighting.
  std::optional<double> guided_alignment, coverage;
  Score valid;               // greedy translations, forced alignments
  double learning_rate = 0;  // of the epoch's last step
  double gradient_norm = 0;  // before clipping, mean over the steps
  bool best = false;
  std::vector<data::Record> tracked;  // validation sentences with their attention, forced; none if the model has none
  // Wall-clock figures, kept out of everything that the same seed must give byte for byte.
  double train_seconds = 0, seconds = 0;  // without and with validation
  double words_per_second = 0;            // target tokens trained on

  std::string metrics() const;
  // Of the same length whatever the figures: the training state records how long the files are, and the clock must not
  // get into it.
  std::string timing() const;
};

}  // namespace apps
