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
#include <string>
#include <vector>

#include "autograd/storage/array.h"
#include "autograd/storage/ids.h"

namespace autograd::inline SOFTALIGN_PRECISION {

struct Node;

class Var {
 public:
  // dy: gradient of the loss by this output, y: the output itself.
  using Rule = std::function<void(const Array& dy, const Array& y)>;
  using RuleWithoutOutput = std::function<void(const Array& dy)>;

  Var() = default;
  explicit Var(Array value);  // a constant: no gradient
  explicit Var(std::shared_ptr<Node> node) : node_(std::move(node)) {}
  // The output of an op. Inputs and rule are dropped if no input needs a gradient or NoGrad is in force.
  Var(const char* op, Array value, std::vector<Var> inputs, Rule rule);
  Var(const char* op, Array value, std::vector<Var> inputs, RuleWithoutOutput rule);  // its value may be spent

  bool defined() const { return node_ != nullptr; }
  const Array& value() const;
  // For optimisers and initialisers, on leaves. Asked for again after every product, since the engine keeps what it
  // made of the value until then.
  Array& mutable_value() const;
  const Shape& shape() const { return value().shape(); }
  std::size_t dim(std::size_t axis) const { return shape()[axis]; }
  const char* op() const;
  bool needs_grad() const;

  // Memory for an op that overwrites what it reads once: an op takes such an input by value, so that a temporary's only
  // handle is the op's own. The numbers can be spent if nobody can look at them any more, the rule that made them
  // included; the shape stays.
  bool can_be_spent() const;
  Array spend() const;  // the numbers themselves if they can be spent, else a copy

  // The gradient, summed over every use; undefined (empty) where none has arrived. Of a row-sparse one a dense copy.
  Array grad() const;
  // x's gradient += g, summed over the axes along which x was broadcast. Nothing happens if x needs none.
  void add_grad(const Array& g) const;
  // In place: where a rule may write dx itself. If `fresh`, the contents are undefined and must be overwritten,
  // otherwise they must be added to.
  struct GradSlot {
    Array& array;
    bool fresh;
  };
  GradSlot grad_slot() const;
  Array& zeroed_grad() const;  // the same for rules that only add: zeros if fresh
  // Rows ids[i] of the gradient += g[i]. On a leaf the gradient stays row-sparse as long as it comes by rows alone:
  // only touched rows take memory and time.
  void add_row_grad(const Ids& ids, const Array& g) const;
  bool grad_is_sparse() const;
  Ids touched_rows() const;  // of a row-sparse gradient: sorted, each once
  void zero_grad() const;

  // The gradient += x' dy, for x (.., K), dy (.., N) and a weight (K, N); of a part of its columns [begin, end), to
  // which those of dy belong. A leaf lets the products of a graph wait and multiplies all at once, after the last of as
  // many as ops have announced.
  void expect_product_grad() const;
  void add_product_grad(const Array& x, const Array& dy) const { add_product_grad(x, dy, 0, dy.shape().back()); }
  void add_product_grad(const Array& x, const Array& dy, std::size_t begin, std::size_t end) const;

  const std::shared_ptr<Node>& node() const { return node_; }

 private:
  std::shared_ptr<Node> node_;
};

Var variable(Array value);  // a leaf whose gradient is wanted
Var constant(Array value);
Var detach(const Var& x);  // the same value as a constant

// Reverse mode: fills the gradients of all leaves that the scalar `loss` depends on, freeing the graph as it goes, so
// it can be called once per graph. Iterative: a long sentence does not recurse. std::invalid_argument if not scalar.
void backward(const Var& loss);

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

}  // namespace autograd::inline SOFTALIGN_PRECISION
