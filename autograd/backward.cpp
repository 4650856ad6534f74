#include "autograd/backward.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <unordered_set>

#include "autograd/anomaly_detection.h"
#include "autograd/internal/context.h"
#include "autograd/internal/node.h"
#include "autograd/storage/profile.h"

namespace softalign::autograd {

namespace {

struct Visit {
  std::shared_ptr<Node> op;
  std::vector<Var> leaves;  // that no later visit uses
};

// The ops below y that pass a gradient on. The youngest comes first: an op is younger than its inputs, so each comes
// after all of its uses. Nothing here recurses, because graphs are as deep as sentences are long.
std::vector<Visit> visits(const Var& y) {
  std::vector<Visit> found{{y.node(), {}}};
  std::unordered_set<const Node*> seen{y.node().get()};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::vector<Var>& inputs = found[i].op->inputs;
    for (const Var& input : inputs) {
      const std::shared_ptr<Node>& next = input.node();
      if (next->needs_grad && !is_leaf(*next) && seen.insert(next.get()).second) found.push_back({next, {}});
    }
  }
  std::sort(found.begin(), found.end(), [](const Visit& a, const Visit& b) { return a.op->order > b.op->order; });
  for (auto visit = found.rbegin(); visit != found.rend(); ++visit) {
    for (const Var& input : visit->op->inputs) {
      const Node& next = *input.node();
      if (next.needs_grad && is_leaf(next) && seen.insert(&next).second) visit->leaves.push_back(input);
    }
  }
  return found;
}

void apply_rule(Node& op) {
  if (op.freed)
    throw std::invalid_argument(fmt::format("backward: an earlier backward freed this graph (at {})", op.op));
  if (op.grad.defined()) op.rule(op.grad.dense(op.value.shape()), op.value);
  Profile::charge_backward(op.op);
  if (AnomalyDetection::watching()) AnomalyDetection::look_at_gradients(op.op, op.value, op.inputs);
}

void release(Node& op) {
  op.rule = nullptr;
  op.inputs.clear();
  op.grad.clear();
  op.freed = true;
  Profile::charge_backward("graph");
}

// The gradient of a leaf is complete: its deferred part is computed.
void complete(const Var& leaf) {
  Gradient& own = own_gradient(*leaf.node());
  if (own.waits()) {
    own.dense(leaf.shape());
    if (AnomalyDetection::watching()) AnomalyDetection::look_at_gradients("products", leaf.value(), {leaf});
  }
  if (context().leaf_done) (*context().leaf_done)(leaf);
}

}  // namespace

void backward(const Var& loss) {
  if (loss.value().size() != 1)
    throw std::invalid_argument(
        fmt::format("backward: the loss must be one number, its shape is {}", to_string(loss.shape())));
  backward(loss, Array(loss.shape(), 1));
}

void backward(const Var& y, const Array& dy) {
  if (!y.needs_grad()) throw std::invalid_argument("backward: the loss does not depend on any variable");
  y.add_grad(dy);
  if (is_leaf(*y.node())) return;

  std::vector<Visit> order = visits(y);
  try {
    for (Visit& visit : order) {
      apply_rule(*visit.op);
      release(*visit.op);
      visit.op.reset();
      for (const Var& leaf : visit.leaves) complete(leaf);
    }
  } catch (...) {  // the next walk finds nothing of this one
    for (const Visit& visit : order)
      if (visit.op) visit.op->grad.clear();
    throw;
  }
}

}  // namespace softalign::autograd
