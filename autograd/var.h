// Var is an array of numbers that remembers how it was computed, so that backward() can compute the gradient of the
// loss with respect to it.
//
//   Var x = variable(Array({2}, {1, 2}));
//   Var y = sum(x * tanh(x));
//   backward(y);
//   x.grad();                                   // dy/dx, shape (2)
//
// A Var is a handle to a graph node with a value, a gradient, inputs and a backward rule. The rule gets the output y
// and its gradient dy, and adds to the inputs' gradients. The rule must not store a handle to y. The node of y owns the
// rule, so the two would own each other and never be freed.
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
  explicit Var(Array value);  // a constant, which needs no gradient
  explicit Var(std::shared_ptr<Node> node) : node_(std::move(node)) {}
  // Makes an op's output. It stores the inputs and the rule only if an input needs a gradient and recording() is true.
  Var(const char* op, Array value, std::vector<Var> inputs, Rule rule);
  // Makes the output y of an op whose backward rule reads the gradient of y, but not y itself. The numbers of y may
  // therefore be freed before the backward pass (give_back).
  template <class F, class = std::enable_if_t<std::is_invocable_v<F&, const Array&>>>
  Var(const char* op, Array value, std::vector<Var> inputs, F rule)
      : Var(op, std::move(value), std::move(inputs), Rule([rule](const Array& dy, auto&) mutable { rule(dy); })) {
    leave_value_unread();
  }

  bool defined() const { return node_ != nullptr; }
  const Array& value() const;
  Array& mutable_value() const;  // for leaves; kernels copy weights, so call it for each change
  const Shape& shape() const { return value().shape(); }
  std::size_t dim(std::size_t axis) const { return shape()[axis]; }
  const char* op() const;
  bool needs_grad() const;

  // Returns the gradient, summed over all uses of this Var. The result is undefined (empty) if no gradient has arrived.
  // If the gradient stores only some rows, the result is a dense copy.
  Array grad() const;
  // Adds g to the gradient, if this Var needs one. g is first summed over axes along which the Var was broadcast.
  void add_grad(const Array& g) const;
  Slot grad_slot() const;      // a rule may write dx into this slot
  Array& zeroed_grad() const;  // the same, but filled with zeros if it is new, for rules that only add
  void zero_grad() const;

  const std::shared_ptr<Node>& node() const { return node_; }

 private:
  void leave_value_unread();  // the rule does not read the value

  std::shared_ptr<Node> node_;
};
}  // namespace SOFTALIGN_PRECISION

Var variable(Array value);  // a leaf that needs a gradient
Var constant(Array value);
Var detach(const Var& x);  // the same value as a constant

// Adds d loss / d x to the gradient of every leaf x (a Var that no op computed) that `loss` depends on, by reverse-mode
// differentiation. backward frees the graph while it runs, so you can call it once per graph. It does not recurse, so a
// long sentence does not overflow the stack. Throws std::invalid_argument if `loss` is not one number.
void backward(const Var& loss);
// Computes the gradients from an output y of any shape, if the gradient dy of the loss with respect to y is known.
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

// Adds g[i] to row ids[i] of x's gradient. The gradient of a leaf, for example of an embedding table, stores only the
// rows that were added, which saves memory and time. It becomes dense when a dense gradient is added.
void add_row_grad(const Var& x, const Ids& ids, const Array& g);
bool grad_is_sparse(const Var& x);
Ids touched_rows(const Var& x);  // rows of a row-sparse gradient, sorted, each once

// --- The declarations below are for the engine, and for ops that need the engine's internals ---

// A Var points to a Node.
struct Node {
  const char* op = "";
  Array value;
  Gradient grad;
  std::vector<Gradient> shard_grads;  // leaf: gradients of shards 1, 2, .. while several run (threads/shards.h)
  std::vector<Var> inputs;
  Var::Rule rule;             // none on leaves and constants, and none after backward
  std::uint64_t order = 0;    // age: an op is younger than its inputs
  std::uint64_t version = 0;  // leaf: how often somebody may have changed its value
  bool needs_grad = false;
  bool reads_value = true;  // the rule reads y
  bool freed = false;       // backward has freed it

  Node(const char* op, Array value, bool needs_grad);
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();
};

// Returns true for a leaf, a node that no op computed. A node that backward() has freed has no rule, but is no leaf.
inline bool is_leaf(const Node& node) { return !node.rule && !node.freed; }

// Frees the numbers of x, but not its shape, if x is the only handle to its node and the backward rule of x reads only
// its gradient. Call this function in an op whose own backward rule does not read x.
void give_back(const Var& x);

// Returns the gradient of a node to which this thread adds. If threads share a batch, each part of the batch has its
// own gradient of every leaf.
Gradient& own_gradient(Node& node);

// Context has the settings of a thread that computes ops: whether the ops record a graph, and which part of a batch
// they belong to.
struct Context {
  bool recording = true;  // ops record the graph
  std::size_t shard = 0;  // number of the batch's part (autograd/threads/shards.h)
};
Context& context();

}  // namespace softalign::autograd
