// An Observer has functions that the engine calls while it computes. For example, a profiler is an Observer. The
// following Observer counts how often each op is computed:
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

// While an Observer exists, the engine calls its functions. With Of::this_thread, it observes only the thread that made
// it, and with Of::all_threads, every thread. Without an Observer, these calls cost an op only one comparison.
// Observers must be destroyed in the reverse order of their construction.
class Observer {
 public:
  enum class Of { this_thread, all_threads };
  explicit Observer(Of of);
  virtual ~Observer();
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  // The engine calls op_computed after an op has computed its value. The op's inputs are still unchanged.
  virtual void op_computed(const char* /*op*/, const Array& /*value*/, const std::vector<Var>& /*inputs*/) {}
  // In the backward pass, the engine calls rule_applied after the backward rule of an op has run. It calls op_freed
  // when it has freed the op's node of the graph.
  virtual void rule_applied(const Node& /*op*/) {}
  virtual void op_freed() {}
  // A leaf is a Var that no op computed, for example a weight. The kernels may defer a part of its gradient and compute
  // it as one large product after the last use of the leaf (autograd/kernels/products.h). The engine calls
  // products_added after this product, and leaf_completed when the gradient of the leaf is complete.
  virtual void products_added(const Var& /*leaf*/) {}
  virtual void leaf_completed(const Var& /*leaf*/) {}
  // The engine calls span_begun before a part of an op, for example a matrix product, and span_ended after it.
  virtual void span_begun() {}
  virtual void span_ended(const char* /*name*/, double /*flops*/) {}

  static bool any() { return count_.load(std::memory_order_relaxed) != 0; }
  static bool any_of_all_threads() { return any() && everywhere_.load() != nullptr; }

  // Calls tell(observer) for each observer that observes this thread or all threads.
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

// A Span marks a part of an op's work, for example a matrix product, so that observers can time it separately. The name
// of the Span must stay valid until the program ends.
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
