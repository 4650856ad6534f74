// The figures of a training in its run folder: the files that grow by a line per epoch (metrics.jsonl, timing.jsonl),
// what one epoch writes there, and the learning curve that is read back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "apps/training/task.h"

namespace softalign::apps {

// A JSON lines file that grows while a training runs. Each saved training state contains the length of the file, so a
// resumed training can remove later lines.
class Journal {
 public:
  // Creates the file, or cuts an existing one to `length` bytes. data::Error if it is shorter than that or
  // cannot be written.
  explicit Journal(std::string path, std::int64_t length = 0);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  void append(const std::string& line);  // without its end
  // Forces the lines to disk and returns the file's length.
  std::int64_t sync();

 private:
  std::string path_;
  int file_;
  std::int64_t length_;
};

// The complete lines within the first `bytes` of such a file; none if the file does not exist.
std::vector<std::string> read_journal(const std::string& path,
                                      std::size_t bytes = std::numeric_limits<std::size_t>::max());

// The results of one epoch: a line of metrics.jsonl and one of timing.jsonl (table.h prints them).
struct EpochReport {
  std::size_t epoch = 0;       // from 1
  std::size_t steps = 0;       // since training began
  std::vector<double> losses;  // Task::losses, means over the epoch's targets, as trained (dropout, smoothing)
  double learning_rate = 0;    // of the epoch's last step
  double gradient_norm = 0;    // before clipping, mean over the steps
  bool best = false;
  // Wall-clock times. They are in a separate file, because the other files must be the same for the same seed.
  double train_seconds = 0, seconds = 0;  // without and with validation
  double words_per_second = 0;            // targets trained on

  // With the task's names for the losses and its last validation.
  std::string metrics(const Task& task) const;
  // The line has the same length for all figures, because the training state stores the lengths of the files and must
  // not depend on the clock.
  std::string timing() const;
};

// A point of the learning curve: the validation results after an epoch.
struct CurvePoint {
  std::size_t epoch = 0;
  double loss = 0;             // nats per target token; NaN of a training that diverged
  std::optional<double> bleu;  // percent; none without translations
  std::optional<double> aer;   // 0 to 1; none without attention or gold
  bool best = false;           // the best so far, so that its model was kept
  std::optional<double> exact = {}, accuracy = {};  // 0 to 1: answers that are exact; attention accuracy, of what has it
};

// One point per line of the file's first `bytes`; none if the file does not exist or is empty. data::Error, with file
// and line, for a line that `train` does not write.
std::vector<CurvePoint> read_curve(const std::string& metrics_file,
                                   std::size_t bytes = std::numeric_limits<std::size_t>::max());

}  // namespace softalign::apps
