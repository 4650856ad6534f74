// Hooks let other code observe the engine at work. The engine does not need any observer.
//
//   struct Count : Observer {
//     Count() : Observer(Of::this_thread) {}
//     void op_computed(const char* op, const Array& value, const std::vector<Var>& inputs) override { ++ops[op]; }
//   };
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

#include "autograd/precision.h"

namespace softalign::autograd {

inline namespace SOFTALIGN_PRECISION {
class Array;
class Var;
}  // namespace SOFTALIGN_PRECISION
struct Node;

// An Observer is called for one thread or for all threads while it exists. Without an observer, an op costs one more
// comparison. Observers must be destroyed in the reverse order of their construction.
class Observer {
 public:
  enum class Of { this_thread, all_threads };
  explicit Observer(Of of);
  virtual ~Observer();
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  // The engine calls this after an op has computed its value (forward pass). The inputs are still unchanged.
  virtual void op_computed(const char* /*op*/, const Array& /*value*/, const std::vector<Var>& /*inputs*/) {}
  // The engine calls these after an op's rule has added to its inputs' gradients, and after it has freed the op.
  virtual void rule_applied(const Node& /*op*/) {}
  virtual void op_freed() {}
  // The engine calls this after it has computed the deferred part of a leaf's gradient. The gradient is then complete.
  // This happens after the leaf's last use.
  virtual void products_added(const Var& /*leaf*/) {}
  virtual void leaf_completed(const Var& /*leaf*/) {}
  // The engine calls these at the start and the end of a span, in which an op copies, fills, allocates or multiplies.
  virtual void span_begun() {}
  virtual void span_ended(const char* /*name*/, double /*flops*/) {}

  static bool any() { return count_.load(std::memory_order_relaxed) != 0; }
  static bool any_of_all_threads() { return any() && everywhere_.load() != nullptr; }

  // Calls tell(observer) for each observer of this thread and of all threads.
  template <class Tell>
  static void notify(const Tell& tell) {
    if (!any()) return;
    for (Observer* each = first_here(); each; each = each->next_) tell(*each);
    for (Observer* each = everywhere_; each; each = each->next_) tell(*each);
  }

 private:
  static Observer*& first_here();
  static inline std::atomic<int> count_{0};
  static inline std::atomic<Observer*> everywhere_{nullptr};

  Of of_;
  Observer* next_;
};

// A Span marks other work inside an op. Its name must be valid as long as the program runs.
class Span {
 public:
  explicit Span(const char* name, double flops = 0) : name_(name), flops_(flops), watched_(Observer::any()) {
    if (watched_) Observer::notify([](Observer& o) { o.span_begun(); });
  }
  ~Span() {
    if (watched_) Observer::notify([this](Observer& o) { o.span_ended(name_, flops_); });
  }
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

 private:
  const char* name_;
  double flops_;
  bool watched_;
};

}  // namespace softalign::autograd
