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

// A JSON lines file that grows while a training runs. Its length at each saved training state is recorded there, so
// that a resumed training can take back the lines that were written after it.
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

// The lines within the first `bytes` of such a file, but for one that has no end yet. None if there is no such file.
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
  // Wall-clock figures, kept out of everything that the same seed must give byte for byte.
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

// A point for each line of the file's first `bytes`; none if there is no such file or it is empty. data::Error,
// naming file and line, for what train does not write.
std::vector<CurvePoint> read_curve(const std::string& metrics_file,
                                   std::size_t bytes = std::numeric_limits<std::size_t>::max());

}  // namespace softalign::apps
