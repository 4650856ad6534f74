// This file shows progress on a terminal, as one line that is rewritten in place. A file or a pipe gets no such line.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

namespace softalign::apps {

struct Progress {
  std::size_t epoch = 1, epochs = 1;
  double done = 0;              // part of this epoch that is done, 0 .. 1
  double loss = 0;              // nats per target token, mean over this epoch so far
  double words_per_second = 0;  // target tokens per second
  double seconds_left = 0;      // until the end of the training
};

// Returns, for example, "epoch 3/20 [============>       ] 61%  loss 1.92  12.3k tok/s  ETA 1:40". The bar is shorter
// or missing on a narrow terminal.
std::string progress_line(const Progress& progress, std::size_t columns);

std::string format_rate(double per_second);   // "987", "12.3k", "4.5M"
std::string format_duration(double seconds);  // "0:07", "1:40", "2:01:40"
std::string format_count(std::size_t count);  // "580,123"

// ProgressLine shows progress on standard error, at most ten times a second. It does so only on a terminal that can
// rewrite a line.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const Progress& progress);
  void clear();  // call it before you print anything else

 private:
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace softalign::apps
