// Var: a number array that remembers how it was made, so that backward() can find d loss / d itself.
//
//   Var x = variable(Array({2}, {1, 2}));
//   Var y = sum(x * tanh(x));
//   backward(y);
//   x.grad();                                   // dy/dx, shape (2)
//
// A Var is a handle to a node: value, gradient, inputs, backward rule. A rule receives (dy, y) and adds into its
// inputs' gradients; it captures its inputs, never its own output, so that the graph has no cycle.
#pragma once

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "autograd/no_grad.h"
#include "autograd/storage/array.h"
#include "autograd/storage/ids.h"

namespace softalign::autograd {

struct Node;

inline namespace SOFTALIGN_PRECISION {
class Var {
 public:
  // dy: gradient of the loss by this output, y: the output itself.
  using Rule = std::function<void(const Array& dy, const Array& y)>;

  Var() = default;
  explicit Var(Array value);  // a constant: no gradient
  explicit Var(std::shared_ptr<Node> node) : node_(std::move(node)) {}
  // The output of an op. Inputs and rule are dropped if no input needs a gradient or NoGrad is in force.
  Var(const char* op, Array value, std::vector<Var> inputs, Rule rule);
  // The same for a rule that takes dy alone: of a temporary y may be given back before (autograd/internal/node.h).
  template <class F, class = std::enable_if_t<std::is_invocable_v<F&, const Array&>>>
  Var(const char* op, Array value, std::vector<Var> inputs, F rule)
      : Var(op, std::move(value), std::move(inputs), Rule([rule](const Array& dy, auto&) mutable { rule(dy); })) {
    leave_value_unread();
  }

  bool defined() const { return node_ != nullptr; }
  const Array& value() const;
  Array& mutable_value() const;  // of leaves; to be asked for again after every product, for the engine keeps copies
  const Shape& shape() const { return value().shape(); }
  std::size_t dim(std::size_t axis) const { return shape()[axis]; }
  const char* op() const;
  bool needs_grad() const;

  // The gradient, summed over every use; undefined (empty) where none has arrived. Of a row-sparse one a dense copy.
  Array grad() const;
  // x's gradient += g, summed over the axes along which x was broadcast. Nothing happens if x needs none.
  void add_grad(const Array& g) const;
  Slot grad_slot() const;      // where a rule may write dx itself
  Array& zeroed_grad() const;  // the same for rules that only add: zeros if fresh
  void zero_grad() const;

  const std::shared_ptr<Node>& node() const { return node_; }

 private:
  void leave_value_unread();  // by the rule

  std::shared_ptr<Node> node_;
};
}  // namespace SOFTALIGN_PRECISION

Var variable(Array value);  // a leaf whose gradient is wanted
Var constant(Array value);
Var detach(const Var& x);  // the same value as a constant

}  // namespace softalign::autograd
