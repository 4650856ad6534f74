#include "autograd/var.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include "autograd/hooks.h"

namespace softalign::autograd {
namespace {

Node& checked(const std::shared_ptr<Node>& node) {
  if (!node) throw std::invalid_argument("an undefined Var was used");
  return *node;
}

}  // namespace

Context& context() {
  thread_local Context own;
  return own;
}

NoGrad::NoGrad() : before_(std::exchange(context().recording, false)) {}
NoGrad::~NoGrad() { context().recording = before_; }
bool recording() { return context().recording; }

Node::Node(const char* name, Array y, bool wanted) : op(name), value(std::move(y)), needs_grad(wanted) {
  static std::atomic<std::uint64_t> made{0};
  order = made.fetch_add(1, std::memory_order_relaxed);
}

// The destructor frees the inputs in a loop, because recursive destructors of a long chain could overflow the stack.
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
  Observer::notify([&](Observer& o) { o.op_computed(op, node_->value, inputs); });
  if (!needed) return;
  node_->inputs = std::move(inputs);
  node_->rule = std::move(rule);
}

void Var::leave_value_unread() { node_->reads_value = false; }

void give_back(const Var& x) {
  Node& node = checked(x.node());
  // An observer of all threads reads the inputs of an op, also in the backward pass. Therefore their values are kept.
  if (x.node().use_count() > 1 || node.reads_value || !node.rule || Observer::any_of_all_threads()) return;
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
  if (!sum.defined()) sum = g;  // sum shares the memory of g until the next addition
  else add_into(grad_slot().array, g);
}

Slot Var::grad_slot() const { return own_gradient(checked(node_)).slot(shape()); }

Array& Var::zeroed_grad() const {
  const auto [dx, fresh] = grad_slot();
  if (fresh) dx.fill(0);
  return dx;
}

void Var::zero_grad() const { checked(node_).grad.clear(); }

void add_row_grad(const Var& x, const Ids& ids, const Array& g) {
  if (!is_leaf(*x.node())) x.zeroed_grad();    // only leaves stay sparse
  own_gradient(*x.node()).add_rows({ids, g});  // autograd/gradient.cpp
}

bool grad_is_sparse(const Var& x) { return x.node()->grad.sparse(); }
Ids touched_rows(const Var& x) { return x.node()->grad.rows().touched(); }

namespace {

struct Visit {
  std::shared_ptr<Node> op;
  std::vector<Var> leaves;  // leaves that no later visit uses
};

// visits returns the ops below y that pass a gradient on. The youngest op comes first. An op is younger than its
// inputs, so each op comes after all ops that use its result. visits does not recurse, because a graph may be as deep
// as a sentence is long.
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
  Observer::notify([&](Observer& o) { o.rule_applied(op); });
}

void release(Node& op) {
  op.rule = nullptr;
  op.inputs.clear();
  op.grad.clear();
  op.freed = true;
  Observer::notify([](Observer& o) { o.op_freed(); });
}

// complete finishes the gradient of a leaf: it computes the deferred part and notifies the observers.
void complete(const Var& leaf) {
  Gradient& own = own_gradient(*leaf.node());
  if (own.waits()) {
    own.dense(leaf.shape());
    Observer::notify([&](Observer& o) { o.products_added(leaf); });
  }
  Observer::notify([&](Observer& o) { o.leaf_completed(leaf); });
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
  } catch (...) {  // the next backward pass must find no gradients of this one
    for (const Visit& visit : order)
      if (visit.op) visit.op->grad.clear();
    throw;
  }
}

}  // namespace softalign::autograd
