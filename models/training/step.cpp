#include "models/training/step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "autograd/optimise/clip.h"

namespace softalign::models {

namespace {

bool bad_value(const autograd::Parameter& p) { return !autograd::all_finite(p.var.value()); }
bool bad_gradient(const autograd::Parameter& p) {
  return p.var.grad().defined() && !autograd::all_finite(p.var.grad());
}

// One value with NaN or Inf makes every gradient NaN or Inf. Therefore values are checked first.
std::string first_bad_parameter(const autograd::Params& params) {
  const auto& all = params.all();
  const auto value = std::find_if(all.begin(), all.end(), bad_value);
  const auto gradient = std::find_if(all.begin(), all.end(), bad_gradient);
  if (value == all.end() && gradient == all.end()) return "every single parameter and gradient is finite";
  const autograd::Parameter& bad = value != all.end() ? *value : *gradient;
  return fmt::format("first parameter with NaN or Inf: {} {} (its {})", bad.name, to_string(bad.var.shape()),
                     value != all.end() ? "value" : "gradient");
}

[[noreturn]] void diverge(const std::string& what, const autograd::Params& params) {
  const std::string message = fmt::format("{}; {}", what, first_bad_parameter(params));
  params.zero_grad();
  throw Diverged(message);
}

}  // namespace

void check_finite(const autograd::Params& params) {
  const bool finite = std::none_of(params.all().begin(), params.all().end(), bad_value);
  if (!finite) diverge("the last update produced NaN or Inf", params);
}

double training_step(const autograd::Params& params, autograd::Optimiser& optimiser, std::size_t batches,
                     const std::function<double(std::size_t)>& run_batch, const Update& update,
                     const std::function<double()>& all_reduce) {
  // forward and backward; translation runs add_batch_gradient (models/training/batch_gradient.cpp)
  double loss = 0;
  for (std::size_t i = 0; i < batches; ++i) loss += run_batch(i);
  // all-reduce, if several processes train: apps/ranks/gradient_sum.cpp
  if (all_reduce) loss = all_reduce();
  if (!std::isfinite(loss)) diverge(fmt::format("the loss is {}", loss), params);
  // clip
  const double norm = clip_by_global_norm(params, update.clip);
  if (!std::isfinite(norm)) diverge(fmt::format("the norm of the gradient is {}", norm), params);
  // update
  optimiser.step(update.learning_rate);
  return norm;
}

}  // namespace softalign::models
