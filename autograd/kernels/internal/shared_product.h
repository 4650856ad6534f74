// This file decides whether several threads share a matrix product that takes only microseconds.
#pragma once

#include <chrono>

#include "autograd/threads/blas.h"

namespace softalign::autograd {

// A product is faster if threads share it, because each thread keeps its columns of the weights in its own cache. But
// if other programs use the processor's cores, all threads may have to wait for a late one. Such a wait can take a
// thousand times as long as the product. After such a wait, SharedProduct lets one thread compute the next products
// alone. Create a SharedProduct for each product, and destroy it right after the product, because it measures the time.
// `worth` says whether the product is large enough for several threads; pays() says whether to share it.
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
  static inline thread_local int alone_ = 0;  // number of products that are still not shared
  bool pays_;
  Clock::time_point start_;
};

}  // namespace softalign::autograd
