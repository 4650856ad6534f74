#include "autograd/var.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <utility>

#include "autograd/internal/context.h"
#include "autograd/internal/node.h"
#include "autograd/ops/broadcast.h"
#include "autograd/storage/profile.h"

namespace autograd::inline SOFTALIGN_PRECISION {
namespace {

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
      recording() && std::any_of(inputs.begin(), inputs.end(), [](const Var& x) { return x.needs_grad(); });
  node_ = new_node(op, std::move(value), needed);
  Profile::charge(op);
  if (!needed) return;
  node_->inputs = std::move(inputs);
  node_->rule = std::move(rule);
}

Var::Var(const char* op, Array value, std::vector<Var> inputs, RuleWithoutOutput rule)
    : Var(op, std::move(value), std::move(inputs),
          Rule([rule = std::move(rule)](const Array& dy, const Array&) { rule(dy); })) {
  node_->reads_value = false;
}

Var variable(Array value) { return Var(new_node("variable", std::move(value), true)); }
Var constant(Array value) { return Var(std::move(value)); }
Var detach(const Var& x) { return Var(x.value()); }

const Array& Var::value() const { return checked(node_).value; }
Array& Var::mutable_value() const {
  ++checked(node_).version;
  return node_->value;
}
const char* Var::op() const { return checked(node_).op; }
bool Var::needs_grad() const { return node_ && node_->needs_grad; }
Array Var::grad() const {
  Gradient copy = checked(node_).grad;
  return copy.dense(shape());
}

bool Var::can_be_spent() const {
  const Node& node = checked(node_);
  const bool read_again = node.rule ? node.reads_value : node.needs_grad;  // a variable belongs to the user
  return !read_again && node_.use_count() == 1 && node.value.sole_owner();
}

Array Var::spend() const { return can_be_spent() ? node_->value.take() : value().clone(); }

Gradient& own_gradient(Node& node) {
  const std::size_t shard = context().shard;
  return shard == 0 || node.shard_grads.empty() ? node.grad : node.shard_grads.at(shard - 1);
}

void Var::add_grad(const Array& g) const {
  if (!needs_grad()) return;
  if (!(g.shape() == shape())) {
    add_grad(sum_to_shape(g, shape()));
    return;
  }
  Array& own = own_gradient(*node_).dense(shape());
  if (!own.defined()) {
    own = g;  // shared until somebody adds to it
    return;
  }
  if (!own.sole_owner()) own = own.clone();
  add_into(own, g);
}

Var::GradSlot Var::grad_slot() const {
  Array& own = own_gradient(checked(node_)).dense(shape());
  if (!own.defined()) {
    own = Array(shape());
    return {own, true};
  }
  if (!own.sole_owner()) own = own.clone();
  return {own, false};
}

Array& Var::zeroed_grad() const {
  GradSlot slot = grad_slot();
  if (slot.fresh) slot.array.fill(0);
  return slot.array;
}

void Var::add_row_grad(const Ids& ids, const Array& g) const {
  if (!needs_grad()) return;
  const bool leaf = !node_->rule;
  if (!leaf) zeroed_grad();  // only leaves stay sparse
  own_gradient(*node_).add_rows(shape(), ids, g);
}

void Var::expect_product_grad() const {
  if (needs_grad() && !node_->rule && recording()) own_gradient(*node_).expect_product();
}

void Var::add_product_grad(const Array& x, const Array& dy, std::size_t begin, std::size_t end) const {
  if (!needs_grad()) return;
  if (node_->rule) {
    WeightProducts product;
    product.add(x, dy, {begin, end});
    const GradSlot slot = grad_slot();
    return product.multiply_into(slot.array, slot.fresh);
  }
  Gradient& own = own_gradient(*node_);
  if (!own.waits()) context().collecting.push_back(*this);
  own.add_product(shape(), x, dy, {begin, end});
}

bool Var::grad_is_sparse() const { return checked(node_).grad.sparse(); }
Ids Var::touched_rows() const { return checked(node_).grad.touched(); }
void Var::zero_grad() const { checked(node_).grad.clear(); }

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
  struct Collection {
    std::vector<Var>& leaves = context().collecting;
    ~Collection() { leaves.clear(); }
  } collection;
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
  for (const Var& leaf : collection.leaves) own_gradient(*leaf.node()).dense(leaf.shape());
}

NoGrad::NoGrad() : before_(std::exchange(context().recording, false)) {}
NoGrad::~NoGrad() { context().recording = before_; }
bool recording() { return context().recording; }

}  // namespace autograd::inline SOFTALIGN_PRECISION
