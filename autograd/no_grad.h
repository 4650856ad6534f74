// NoGrad: computing without a graph.
#pragma once

#include "autograd/storage/real.h"

namespace softalign::autograd {

// While one lives, ops in this thread record nothing.
class NoGrad {
 public:
  NoGrad();
  ~NoGrad();
  NoGrad(const NoGrad&) = delete;
  NoGrad& operator=(const NoGrad&) = delete;

 private:
  bool before_;
};
bool recording();

}  // namespace softalign::autograd
