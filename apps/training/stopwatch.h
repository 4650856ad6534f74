// Seconds of wall-clock since it was made.
#pragma once

#include <chrono>

namespace softalign::apps {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace softalign::apps
