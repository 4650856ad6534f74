#include "autograd/backward.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include "autograd/first_bad.h"
#include "autograd/internal/context.h"
#include "autograd/internal/node.h"
#include "autograd/storage/profile.h"

namespace autograd::inline SOFTALIGN_PRECISION {

namespace {

// How often the graph of y uses each leaf that needs a gradient; counted only where somebody watches.
class LeafUses {
 public:
  explicit LeafUses(const Var& y) {
    if (!context().leaf_done) return;
    std::vector<const Node*> todo{y.node().get()};
    std::unordered_set<const Node*> seen{todo.front()};
    while (!todo.empty()) {
      const Node* const node = todo.back();
      todo.pop_back();
      for (const Var& input : node->inputs) {
        const Node* const next = input.node().get();
        if (!next->needs_grad) continue;
        if (is_leaf(*next)) ++uses_[next];
        else if (seen.insert(next).second) todo.push_back(next);
      }
    }
  }

  // After the walk has left the node.
  void left(const Node& node) {
    if (!context().leaf_done) return;
    for (const Var& input : node.inputs) {
      Node& leaf = *input.node();
      if (!leaf.needs_grad || !is_leaf(leaf) || --uses_[&leaf] > 0) continue;
      Gradient& own = own_gradient(leaf);
      if (own.waits()) own.dense(leaf.value.shape());
      (*context().leaf_done)(input);
    }
  }

 private:
  std::unordered_map<const Node*, std::size_t> uses_;
};

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

  // An op is younger than its inputs, so taking the youngest first visits every node after all of its uses.
  const auto older = [](const std::shared_ptr<Node>& a, const std::shared_ptr<Node>& b) { return a->order < b->order; };
  // Where a rule throws, nothing of this walk is left for the next one to find.
  struct Walk {
    std::vector<std::shared_ptr<Node>> heap;
    std::vector<Var>& leaves = context().collecting;
    ~Walk() {
      for (const auto& node : heap) node->queued = false, node->grad.clear();
      leaves.clear();
    }
  } walk{{y.node()}};
  auto& heap = walk.heap;
  LeafUses uses(y);
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), older);
    const std::shared_ptr<Node> node = heap.back();
    if (node->freed)
      throw std::invalid_argument(fmt::format("backward: an earlier backward freed this graph (at {})", node->op));
    if (node->grad.defined()) node->rule(node->grad.dense(node->value.shape()), node->value);
    Profile::charge_backward(node->op);
    if (FirstBad::watching()) FirstBad::look_at_gradients(node->op, node->value, node->inputs);
    heap.pop_back();
    for (const Var& input : node->inputs) {
      Node& next = *input.node();
      if (!next.needs_grad || next.queued || is_leaf(next)) continue;  // a leaf keeps its gradient
      next.queued = true;
      heap.push_back(input.node());
      std::push_heap(heap.begin(), heap.end(), older);
    }
    uses.left(*node);
    node->queued = false;
    node->rule = nullptr;
    node->inputs.clear();
    node->grad.clear();
    node->freed = true;
    Profile::charge_backward("graph");
  }
  for (const Var& leaf : walk.leaves) own_gradient(*leaf.node()).dense(leaf.shape());
  if (FirstBad::watching()) FirstBad::look_at_gradients("products", y.value(), walk.leaves);
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
