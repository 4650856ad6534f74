// Var is an array of numbers that remembers how it was computed. backward() can therefore compute the gradient of a
// loss with respect to it.
//
//   Var x = variable(Array({2}, {1, 2}));
//   Var y = sum(x * tanh(x));
//   backward(y);
//   x.grad();                                   // dy/dx, shape (2)
//
// A Var is a handle to a node of the computation graph. The node has a value, a gradient, its inputs and a backward
// rule. The rule receives the gradient dy of the output and the output y, and adds to the gradients of the inputs. A
// rule holds its inputs but never its own output, so the graph has no cycle.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "autograd/array.h"
#include "autograd/gradient.h"

namespace softalign::autograd {

struct Node;

inline namespace SOFTALIGN_PRECISION {
class Var {
 public:
  // dy is the gradient of the loss with respect to an op's output, and y is the output itself.
  using Rule = std::function<void(const Array& dy, const Array& y)>;

  Var() = default;
  explicit Var(Array value);  // a constant: no gradient
  explicit Var(std::shared_ptr<Node> node) : node_(std::move(node)) {}
  // Makes the output of an op. If no input needs a gradient, or while a NoGrad exists, the Var keeps neither the inputs
  // nor the rule.
  Var(const char* op, Array value, std::vector<Var> inputs, Rule rule);
  // Makes the output of an op whose backward rule takes only dy. The engine may then free the value of a temporary y
  // early (give_back).
  template <class F, class = std::enable_if_t<std::is_invocable_v<F&, const Array&>>>
  Var(const char* op, Array value, std::vector<Var> inputs, F rule)
      : Var(op, std::move(value), std::move(inputs), Rule([rule](const Array& dy, auto&) mutable { rule(dy); })) {
    leave_value_unread();
  }

  bool defined() const { return node_ != nullptr; }
  const Array& value() const;
  Array& mutable_value() const;  // for leaves; call it again after each product: the engine keeps copies
  const Shape& shape() const { return value().shape(); }
  std::size_t dim(std::size_t axis) const { return shape()[axis]; }
  const char* op() const;
  bool needs_grad() const;

  // Returns the gradient, summed over all uses of this Var. The result is undefined (empty) if no gradient has arrived.
  // If the gradient stores only some rows, the result is a dense copy.
  Array grad() const;
  // Adds g to the gradient of this Var, if the Var needs one. If the Var was broadcast, the function first sums g over
  // the axes along which the Var was repeated.
  void add_grad(const Array& g) const;
  Slot grad_slot() const;      // a rule may write dx into this slot
  Array& zeroed_grad() const;  // the same, but filled with zeros if it is new, for rules that only add
  void zero_grad() const;

  const std::shared_ptr<Node>& node() const { return node_; }

 private:
  void leave_value_unread();  // the rule does not read it

  std::shared_ptr<Node> node_;
};
}  // namespace SOFTALIGN_PRECISION

Var variable(Array value);  // a leaf whose gradient is wanted
Var constant(Array value);
Var detach(const Var& x);  // the same value as a constant

// Computes gradients by reverse-mode differentiation: adds d loss / d x to the gradient of every leaf x that the number
// `loss` depends on. A leaf is a Var that no op computed, for example a parameter. backward frees the graph while it
// runs, so you can call it once per graph. It does not recurse, so a long sentence does not overflow the stack. Throws
// std::invalid_argument if `loss` is not a single number.
void backward(const Var& loss);
// Computes gradients likewise from an output y of any shape, if its gradient dy is known.
void backward(const Var& y, const Array& dy);

// While a NoGrad exists, ops in this thread record no graph.
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

// Adds g[i] to row ids[i] of x's gradient. If x is a leaf, for example an embedding table, its gradient stores only the
// rows that have arrived. Only these rows take memory and time. If a dense gradient arrives too, the gradient becomes
// dense.
void add_row_grad(const Var& x, const Ids& ids, const Array& g);
bool grad_is_sparse(const Var& x);
Ids touched_rows(const Var& x);  // of a row-sparse gradient: sorted, each once

// --- The declarations below are for the engine, and for ops that need the engine's internals ---

// A Var points to a Node.
struct Node {
  const char* op = "";
  Array value;
  Gradient grad;
  std::vector<Gradient> shard_grads;  // leaf: those of shards 1, 2, .. while several run (autograd/threads/shards.h)
  std::vector<Var> inputs;
  Var::Rule rule;             // none on leaves and constants, and none after backward
  std::uint64_t order = 0;    // age: an op is younger than its inputs
  std::uint64_t version = 0;  // leaf: how often somebody may have written into its value
  bool needs_grad = false;
  bool reads_value = true;  // its rule reads y
  bool freed = false;       // backward has freed it

  Node(const char* op, Array value, bool needs_grad);
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();
};

// Returns whether no op computed this node. A node that backward() has freed has no rule either, but it is not a leaf.
inline bool is_leaf(const Node& node) { return !node.rule && !node.freed; }

// Frees the numbers of x if nobody needs them; x keeps its shape. The numbers are not needed if x is the only handle to
// its node and the backward rule of x takes only dy. Call this function in an op whose own backward rule does not read
// x.
void give_back(const Var& x);

// Returns the gradient to which this thread adds. If several threads compute parts of a batch (shards), a leaf has one
// gradient per part. All other nodes belong to only one part.
Gradient& own_gradient(Node& node);

// Context is the state of a thread while it computes ops. All other state belongs to a graph or to a leaf.
struct Context {
  bool recording = true;  // ops record the graph
  std::size_t shard = 0;  // number of the batch's part (autograd/threads/shards.h)
};
Context& context();

}  // namespace softalign::autograd
