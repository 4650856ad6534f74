// Whether threads share one product of microseconds.
#pragma once

#include <chrono>

#include "autograd/threads/blas.h"

namespace softalign::autograd {

// If threads share a product, each finds its columns of the weights in its own cache. If other programs use the cores,
// a thread may wait a time slice for another thread, which is a thousand times as long. After such a wait, the next
// products are not shared. Create one object around each product that is `worth` sharing.
class SharedProduct {
 public:
  explicit SharedProduct(bool worth)
      : pays_(worth && alone_ == 0 && threads() > 1 && !in_parallel()), start_(Clock::now()) {
    if (worth && alone_ > 0) --alone_;
  }
  ~SharedProduct() {
    if (pays_ && Clock::now() - start_ > std::chrono::milliseconds(1)) alone_ = 2000;
  }
  SharedProduct(const SharedProduct&) = delete;
  SharedProduct& operator=(const SharedProduct&) = delete;
  bool pays() const { return pays_; }

 private:
  using Clock = std::chrono::steady_clock;
  static inline thread_local int alone_ = 0;  // so many products more
  bool pays_;
  Clock::time_point start_;
};

}  // namespace softalign::autograd
