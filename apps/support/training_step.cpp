#include "apps/support/training_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "autograd/blas.h"
#include "autograd/clip.h"
#include "models/gradient.h"

namespace apps {

namespace {

[[noreturn]] void diverge(const std::string& what, const autograd::Params& params) {
  std::string where = "every parameter and gradient is finite by itself";
  for (const autograd::Parameter& p : params.all()) {
    const bool bad_value = !autograd::all_finite(p.var.value());
    if (bad_value || (p.var.grad().defined() && !autograd::all_finite(p.var.grad()))) {
      where = fmt::format("first bad parameter: {} {} (its {})", p.name, to_string(p.var.shape()),
                          bad_value ? "value" : "gradient");
      break;
    }
  }
  params.zero_grad();
  throw Diverged(fmt::format("{}; {}", what, where));
}

}  // namespace

std::size_t count_words(const data::Batch& batch) {
  return std::accumulate(batch.target_lengths.begin(), batch.target_lengths.end(), std::size_t{0});
}

void check_finite(const autograd::Params& params) {
  const bool finite = std::all_of(params.all().begin(), params.all().end(),
                                  [](const autograd::Parameter& p) { return autograd::all_finite(p.var.value()); });
  if (!finite) diverge("the last update left the finite numbers", params);
}

StepResult training_step(const models::Seq2Seq& model, const autograd::Params& params, autograd::Optimiser& optimiser,
                         const data::Batch& batch, const StepOptions& options, autograd::Random& dropout) {
  StepResult result;
  result.words = count_words(batch);
  const models::Training training{dropout, static_cast<autograd::Real>(options.label_smoothing)};
  result.loss = models::add_gradient(model, params, batch, training, static_cast<std::size_t>(autograd::threads()));
  if (!std::isfinite(result.loss)) diverge(fmt::format("the loss is {}", result.loss), params);
  result.gradient_norm = clip_by_global_norm(params, options.clip);
  if (!std::isfinite(result.gradient_norm)) {
    diverge(fmt::format("the norm of the gradient is {}", result.gradient_norm), params);
  }
  optimiser.step(options.learning_rate);
  return result;
}

}  // namespace apps
