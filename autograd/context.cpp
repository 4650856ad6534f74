#include "autograd/internal/context.h"

#include <utility>

namespace softalign::autograd {

Context& context() {
  thread_local Context own;
  return own;
}

NoGrad::NoGrad() : before_(std::exchange(context().recording, false)) {}
NoGrad::~NoGrad() { context().recording = before_; }
bool recording() { return context().recording; }

}  // namespace softalign::autograd
