#include "autograd/backward.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "autograd/internal/context.h"
#include "autograd/internal/node.h"
#include "autograd/storage/profile.h"

namespace autograd::inline SOFTALIGN_PRECISION {

void backward(const Var& loss) {
  if (loss.value().size() != 1)
    throw std::invalid_argument(
        fmt::format("backward: the loss must be one number, its shape is {}", to_string(loss.shape())));
  if (!loss.needs_grad()) throw std::invalid_argument("backward: the loss does not depend on any variable");

  // An op is younger than its inputs, so taking the youngest first visits every node after all of its uses.
  const auto older = [](const std::shared_ptr<Node>& a, const std::shared_ptr<Node>& b) { return a->order < b->order; };
  std::vector<std::shared_ptr<Node>> heap{loss.node()};
  loss.node()->grad.dense() = Array(loss.shape(), 1);
  if (!loss.node()->rule && !loss.node()->freed) return;  // the loss is a variable itself
  // Where a rule throws, nothing of this walk is left for the next one to find.
  struct Walk {
    std::vector<std::shared_ptr<Node>>& waiting;
    std::vector<Var>& leaves = context().collecting;
    ~Walk() {
      for (const auto& node : waiting) node->queued = false, node->grad.clear();
      leaves.clear();
    }
  } walk{heap};
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), older);
    const std::shared_ptr<Node> node = std::move(heap.back());
    heap.pop_back();
    node->queued = false;
    if (node->freed)
      throw std::invalid_argument(fmt::format("backward: an earlier backward freed this graph (at {})", node->op));
    if (node->grad.defined()) node->rule(node->grad.dense(), node->value);
    Profile::charge_backward(node->op);
    for (const Var& input : node->inputs) {
      Node& next = *input.node();
      if (!next.needs_grad || next.queued || (!next.rule && !next.freed)) continue;  // a leaf keeps its gradient
      next.queued = true;
      heap.push_back(input.node());
      std::push_heap(heap.begin(), heap.end(), older);
    }
    node->rule = nullptr;
    node->inputs.clear();
    node->grad.clear();
    node->freed = true;
    Profile::charge_backward("graph");
  }
  for (const Var& leaf : walk.leaves) own_gradient(*leaf.node()).dense(leaf.shape());
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
