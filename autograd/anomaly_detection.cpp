#include "autograd/anomaly_detection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "autograd/var.h"

namespace softalign::autograd {
namespace {

// gradient_so_far returns the dense gradient that x has received so far. The result is undefined if x has received no
// gradient, or if products of a weight are still deferred.
Array gradient_so_far(const Var& x) {
  Gradient copy = own_gradient(*x.node());
  return copy.defined() && !copy.waits() ? copy.dense(x.shape()) : Array();
}

std::string name_of(const Var& x, const Params& params) {
  for (const Parameter& p : params.all())
    if (p.var.node() == x.node()) return p.name;
  return x.op();
}

std::string describe(const Var& x, const Params& params) {
  const std::string name = fmt::format("{} {}", name_of(x, params), to_string(x.shape()));
  if (!x.value().defined()) return name;  // the value was freed before the watch began
  if (!all_finite(x.value())) return name + " not finite";
  Real largest = 0;
  for (const Real v : x.value().span()) largest = std::max(largest, std::abs(v));
  return fmt::format("{} up to {:.3g}", name, largest);
}

}  // namespace

std::string describe(const BadNumber& bad, const Params& params) {
  std::string inputs;
  for (const Var& x : bad.inputs) inputs += (inputs.empty() ? "" : ", ") + describe(x, params);
  const std::string what =
      bad.input ? fmt::format("backwards: the gradient of {} {}", name_of(bad.inputs[*bad.input], params),
                              to_string(bad.inputs[*bad.input].shape()))
                : fmt::format("forwards: its value {}", to_string(bad.shape));
  return fmt::format("op {}, {} is not finite; from {}", bad.op, what, inputs);
}

std::optional<BadNumber> AnomalyDetection::found() const {
  const std::lock_guard lock(mutex_);
  return first_.empty() ? std::nullopt : std::optional(first_.begin()->second);
}

void AnomalyDetection::keep(BadNumber bad) {
  const std::lock_guard lock(mutex_);
  first_.emplace(context().shard, std::move(bad));
}

void AnomalyDetection::op_computed(const char* op, const Array& value, const std::vector<Var>& inputs) {
  if (!all_finite(value)) keep({op, value.shape(), inputs, {}});
}

void AnomalyDetection::rule_applied(const Node& op) { check_gradients(op.op, op.value, op.inputs); }
void AnomalyDetection::products_added(const Var& leaf) { check_gradients("products", leaf.value(), {leaf}); }

void AnomalyDetection::check_gradients(const char* op, const Array& value, const std::vector<Var>& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].needs_grad()) continue;
    const Array g = gradient_so_far(inputs[i]);
    if (g.defined() && !all_finite(g)) return keep({op, value.shape(), inputs, i});
  }
}

}  // namespace softalign::autograd
