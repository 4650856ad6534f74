#include "autograd/var.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "autograd/node.h"
#include "autograd/ops/broadcast.h"
#include "autograd/profile.h"
#include "autograd/shards.h"

namespace autograd::inline SOFTALIGN_PRECISION {
namespace {

thread_local bool recording_now = true;

std::uint64_t next_order() {
  static std::atomic<std::uint64_t> counter{0};
  return counter.fetch_add(1, std::memory_order_relaxed);
}

std::shared_ptr<Node> new_node(const char* op, Array value, bool needs_grad) {
  auto node = std::make_shared<Node>();
  node->op = op;
  node->value = std::move(value);
  node->needs_grad = needs_grad;
  node->order = next_order();
  return node;
}

Node& checked(const std::shared_ptr<Node>& node) {
  if (!node) throw std::invalid_argument("an undefined Var was used");
  return *node;
}

}  // namespace

// Letting go of a long chain must not recurse through its destructors.
Node::~Node() {
  std::vector<Var> orphans = std::move(inputs);
  rule = nullptr;
  while (!orphans.empty()) {
    Var v = std::move(orphans.back());
    orphans.pop_back();
    if (v.node().use_count() != 1) continue;
    Node& n = *v.node();
    n.rule = nullptr;
    for (Var& input : n.inputs) orphans.push_back(std::move(input));
    n.inputs.clear();
  }
}

Var::Var(Array value) : node_(new_node("constant", std::move(value), false)) {}

Var::Var(const char* op, Array value, std::vector<Var> inputs, Rule rule) {
  const bool needed =
      recording_now && std::any_of(inputs.begin(), inputs.end(), [](const Var& x) { return x.needs_grad(); });
  node_ = new_node(op, std::move(value), needed);
  Profile::charge(op);
  if (!needed) return;
  node_->inputs = std::move(inputs);
  node_->rule = std::move(rule);
}

Var variable(Array value) { return Var(new_node("variable", std::move(value), true)); }
Var constant(Array value) { return Var(std::move(value)); }
Var detach(const Var& x) { return Var(x.value()); }

const Array& Var::value() const { return checked(node_).value; }
Array& Var::mutable_value() const { return checked(node_).value; }
const char* Var::op() const { return checked(node_).op; }
bool Var::needs_grad() const { return node_ && node_->needs_grad; }
const Array& Var::grad() const { return checked(node_).grad.sum; }
DeferredProducts* Var::deferred_products() const { return checked(node_).products.get(); }

Ids Gradient::touched_rows() const {
  Ids rows = touched;
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

Gradient& own_gradient(Node& node) {
  const std::size_t shard = current_shard();
  return shard == 0 || node.shard_grads.empty() ? node.grad : node.shard_grads.at(shard - 1);
}

void Var::add_grad(const Array& g) const {
  if (!needs_grad()) return;
  if (!(g.shape() == shape())) {
    add_grad(sum_to_shape(g, shape()));
    return;
  }
  Gradient& own = own_gradient(*node_);
  own.sparse = false;
  if (!own.sum.defined()) {
    own.sum = g;  // shared until somebody adds to it
    return;
  }
  if (!own.sum.sole_owner()) own.sum = own.sum.clone();
  add_into(own.sum, g);
}

Var::GradSlot Var::grad_slot() const {
  Gradient& own = own_gradient(checked(node_));
  own.sparse = false;
  if (!own.sum.defined()) {
    own.sum = Array(shape());
    return {own.sum, true};
  }
  if (!own.sum.sole_owner()) own.sum = own.sum.clone();
  return {own.sum, false};
}

Array& Var::zeroed_grad() const {
  GradSlot slot = grad_slot();
  if (slot.fresh) slot.array.fill(0);
  return slot.array;
}

void Var::add_row_grad(const Ids& ids, const Array& g) const {
  if (!needs_grad()) return;
  Gradient& own = own_gradient(*node_);
  const bool leaf = !node_->rule;
  const bool starts_sparse = leaf && (!own.sum.defined() || own.sparse);
  Array& dx = zeroed_grad();
  own.sparse = starts_sparse;
  const std::size_t width = dx.size() / std::max<std::size_t>(dx.dim(0), 1);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    Real* row = dx.data() + static_cast<std::size_t>(ids[i]) * width;
    const Real* from = g.data() + i * width;
    for (std::size_t j = 0; j < width; ++j) row[j] += from[j];
  }
  if (own.sparse) own.touched.insert(own.touched.end(), ids.begin(), ids.end());
}

bool Var::grad_is_sparse() const { return checked(node_).grad.sparse; }

Ids Var::touched_rows() const { return checked(node_).grad.touched_rows(); }

void Var::zero_grad() const {
  Gradient& grad = checked(node_).grad;
  if (grad.sparse && grad.sum.sole_owner()) {  // keep the table of zeros, clean only the rows that were used
    const std::size_t width = grad.sum.size() / std::max<std::size_t>(grad.sum.dim(0), 1);
    for (Id row : touched_rows()) std::fill_n(grad.sum.data() + static_cast<std::size_t>(row) * width, width, Real(0));
  } else {
    grad.sum = Array();
    grad.sparse = false;
  }
  grad.touched.clear();
}

void backward(const Var& loss) {
  if (loss.value().size() != 1)
    throw std::invalid_argument(fmt::format("backward: the loss must be one number, its shape is {}", to_string(loss.shape())));
  if (!loss.needs_grad()) throw std::invalid_argument("backward: the loss does not depend on any variable");

  // An op is younger than its inputs, so taking the youngest first visits every node after all of its uses.
  const auto older = [](const std::shared_ptr<Node>& a, const std::shared_ptr<Node>& b) { return a->order < b->order; };
  std::vector<std::shared_ptr<Node>> heap{loss.node()};
  loss.node()->grad.sum = Array(loss.shape(), 1);
  if (!loss.node()->rule && !loss.node()->freed) return;  // the loss is a variable itself
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), older);
    const std::shared_ptr<Node> node = std::move(heap.back());
    heap.pop_back();
    node->queued = false;
    if (node->freed) throw std::invalid_argument(fmt::format("backward: an earlier backward freed this graph (at {})", node->op));
    if (node->grad.sum.defined() || node->products) node->rule(node->grad.sum, node->value);
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
    node->grad.sum = Array();
    node->freed = true;
    Profile::charge_backward("graph");
  }
}

NoGrad::NoGrad() : before_(recording_now) { recording_now = false; }
NoGrad::~NoGrad() { recording_now = before_; }
bool recording() { return recording_now; }

}  // namespace autograd::inline SOFTALIGN_PRECISION
