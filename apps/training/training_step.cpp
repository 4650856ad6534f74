#include "apps/training/training_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "autograd/linalg/blas.h"
#include "autograd/optimise/clip.h"
#include "autograd/parallel/shards.h"

namespace apps {

namespace {

bool bad_value(const autograd::Parameter& p) { return !autograd::all_finite(p.var.value()); }
bool bad_gradient(const autograd::Parameter& p) {
  return p.var.grad().defined() && !autograd::all_finite(p.var.grad());
}

// A bad value makes every gradient bad, so values are looked at first.
std::string first_bad_parameter(const autograd::Params& params) {
  const auto& all = params.all();
  const auto value = std::find_if(all.begin(), all.end(), bad_value);
  const auto gradient = std::find_if(all.begin(), all.end(), bad_gradient);
  if (value == all.end() && gradient == all.end()) return "every parameter and gradient is finite by itself";
  const autograd::Parameter& bad = value != all.end() ? *value : *gradient;
  return fmt::format("first bad parameter: {} {} (its {})", bad.name, to_string(bad.var.shape()),
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
  if (!finite) diverge("the last update left the finite numbers", params);
}

StepResult training_step(const models::Seq2Seq& model, const autograd::Params& params, autograd::Optimiser& optimiser,
                         const std::vector<data::Batch>& batches, const StepOptions& options,
                         autograd::Random& random) {
  StepResult result;
  for (const data::Batch& batch : batches) result.words += target_words(batch);
  const models::Lesson lesson{random, options.objective, options.true_words, result.words,
                              autograd::worthwhile_shards(params, autograd::threads())};
  for (const data::Batch& batch : batches) {
    result.losses += models::add_gradient(model, params, batch, lesson);
    const double sum = result.losses.words + result.losses.guided_alignment + result.losses.coverage;
    if (!std::isfinite(sum)) diverge(fmt::format("the loss is {}", sum), params);
  }
  result.gradient_norm = clip_by_global_norm(params, options.clip);
  if (!std::isfinite(result.gradient_norm)) {
    diverge(fmt::format("the norm of the gradient is {}", result.gradient_norm), params);
  }
  optimiser.step(options.learning_rate);
  return result;
}

}  // namespace apps
