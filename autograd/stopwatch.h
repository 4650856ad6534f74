// A stopwatch measures how long something takes, for example a training step or an epoch.
#pragma once

#include <chrono>

namespace softalign::autograd {

// Stopwatch measures the seconds since it was made. Assign a new Stopwatch to restart it.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace softalign::autograd
