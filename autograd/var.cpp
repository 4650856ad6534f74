#include "autograd/var.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <utility>

#include "autograd/anomaly_detection.h"
#include "autograd/internal/context.h"
#include "autograd/internal/node.h"
#include "autograd/storage/broadcast.h"
#include "autograd/storage/profile.h"

namespace softalign::autograd {
namespace {

Node& checked(const std::shared_ptr<Node>& node) {
  if (!node) throw std::invalid_argument("an undefined Var was used");
  return *node;
}

}  // namespace

Node::Node(const char* name, Array y, bool wanted) : op(name), value(std::move(y)), needs_grad(wanted) {
  static std::atomic<std::uint64_t> made{0};
  order = made.fetch_add(1, std::memory_order_relaxed);
}

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

Var::Var(Array value) : node_(std::make_shared<Node>("constant", std::move(value), false)) {}

Var::Var(const char* op, Array value, std::vector<Var> inputs, Rule rule) {
  const bool needed =
      recording() && std::any_of(inputs.begin(), inputs.end(), [](const Var& x) { return x.needs_grad(); });
  node_ = std::make_shared<Node>(op, std::move(value), needed);
  Profile::charge(op);
  if (AnomalyDetection::watching()) AnomalyDetection::look_at_value(op, node_->value, inputs);
  if (!needed) return;
  node_->inputs = std::move(inputs);
  node_->rule = std::move(rule);
}

void Var::leave_value_unread() { node_->reads_value = false; }

void give_back(const Var& x) {
  Node& node = checked(x.node());
  // Who looks for the first bad number wants to see what an op was given.
  if (x.node().use_count() > 1 || node.reads_value || !node.rule || AnomalyDetection::watching()) return;
  node.value = Array::without_numbers(node.value.shape());
}

Var variable(Array value) { return Var(std::make_shared<Node>("variable", std::move(value), true)); }
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

Gradient& own_gradient(Node& node) {
  const std::size_t shard = context().shard;
  return shard == 0 || node.shard_grads.empty() ? node.grad : node.shard_grads.at(shard - 1);
}

void Var::add_grad(const Array& g) const {
  if (!needs_grad()) return;
  if (!(g.shape() == shape())) return add_grad(sum_to_shape(g, shape()));
  Array& sum = own_gradient(*node_).dense(shape());
  if (!sum.defined()) sum = g;  // shared until somebody adds to it
  else add_into(grad_slot().array, g);
}

Slot Var::grad_slot() const { return own_gradient(checked(node_)).slot(shape()); }

Array& Var::zeroed_grad() const {
  const auto [dx, fresh] = grad_slot();
  if (fresh) dx.fill(0);
  return dx;
}

void Var::zero_grad() const { checked(node_).grad.clear(); }

}  // namespace softalign::autograd
