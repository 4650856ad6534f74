#include "autograd/hooks.h"

namespace softalign::autograd {
Observer*& Observer::first_here() {
  thread_local Observer* first = nullptr;
  return first;
}

Observer::Observer(Of of) : of_(of), next_(nullptr) {
  next_ = of_ == Of::all_threads ? everywhere_.load() : first_here();
  if (of_ == Of::all_threads) everywhere_ = this;
  else first_here() = this;
  ++count_;
}

Observer::~Observer() {
  --count_;
  if (of_ == Of::all_threads) everywhere_ = next_;
  else first_here() = next_;
}

}  // namespace softalign::autograd
