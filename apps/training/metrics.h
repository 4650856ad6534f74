// This file writes the results of a training to its run folder. The files metrics.jsonl and timing.jsonl grow by one
// line per epoch. This file also reads the learning curve from metrics.jsonl.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "apps/training/training_task.h"

namespace softalign::apps {

// A Journal is a file of JSON lines that grows while a training runs. The training state (last.safetensors) contains
// the length that the file had when the state was saved. So a resumed training can remove later lines.
class Journal {
 public:
  // Creates the file, or cuts an existing file to `length` bytes. Throws data::Error if an existing file is shorter
  // than `length`, or if the file cannot be written.
  explicit Journal(std::string path, std::int64_t length = 0);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  void append(const std::string& line);  // adds a line, which is given without its newline
  // Forces the lines to disk and returns the file's length.
  std::int64_t sync();

 private:
  std::string path_;
  int file_;
  std::int64_t length_;
};

// Returns the complete lines within the first `bytes` bytes of the file. Returns nothing if the file does not exist.
std::vector<std::string> read_journal(const std::string& path,
                                      std::size_t bytes = std::numeric_limits<std::size_t>::max());

// EpochReport has the results of one epoch. They make one line of metrics.jsonl, one line of timing.jsonl, and one row
// of the table that table.h prints.
struct EpochReport {
  std::size_t epoch = 0;       // number of the epoch, from 1
  std::size_t steps = 0;       // number of steps since the training began
  std::vector<double> losses;  // TrainingTask::losses, means over the epoch's targets, as trained (dropout, smoothing)
  double learning_rate = 0;    // learning rate of the epoch's last step
  double gradient_norm = 0;    // norm before clipping, mean over the steps
  bool best = false;
  // Wall-clock times are in a separate file, because the other files must be the same for the same seed.
  double train_seconds = 0, seconds = 0;  // time of the epoch without and with validation
  double words_per_second = 0;            // number of targets per second of training

  // Returns the line of this epoch for metrics.jsonl. `task` supplies the names of the losses and the results of the
  // last validation.
  std::string metrics(const TrainingTask& task) const;
  // Returns the line of this epoch for timing.jsonl. All lines have the same length, because the training state stores
  // the length of the file, and must not depend on the clock.
  std::string timing() const;
};

// A CurvePoint is a point of the learning curve. It has the validation results after an epoch.
struct CurvePoint {
  std::size_t epoch = 0;
  double loss = 0;             // nats per target token; NaN if the training diverged
  std::optional<double> bleu;  // percent; none without translations
  std::optional<double> aer;   // 0 to 1; none without attention or gold
  bool best = false;           // true if this is the best epoch so far, so that its model was saved
  std::optional<double> exact = {}, accuracy = {};  // 0 to 1: exact answers; attention accuracy
};

// Returns one point per complete line within the first `bytes` bytes of the file. Returns nothing if the file does not
// exist or is empty. Throws data::Error, with file and line, for a line that `train` does not write.
std::vector<CurvePoint> read_curve(const std::string& metrics_file,
                                   std::size_t bytes = std::numeric_limits<std::size_t>::max());

}  // namespace softalign::apps
