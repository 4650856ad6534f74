#include "apps/training/divergence.h"

#include <fmt/format.h>

#include <exception>

#include "autograd/anomaly_detection.h"
#include "autograd/threads/blas.h"

namespace softalign::apps {

namespace {

std::string bad_parameter(const autograd::Params& params) {
  for (const autograd::Parameter& p : params.all())
    if (!autograd::all_finite(p.var.value()))
      return fmt::format("parameter {} {} before the step: the previous update produced NaN or Inf", p.name,
                         to_string(p.var.shape()));
  return "";
}

}  // namespace

std::optional<std::string> first_bad_number(const autograd::Params& params, const std::function<void()>& compute) {
  std::string bad = bad_parameter(params);
  params.zero_grad();
  const autograd::AnomalyDetection watch;
  try {
    compute();
  } catch (const std::exception&) {  // what cannot go on has been seen
  }
  if (const auto op = watch.found()) bad += (bad.empty() ? "" : "; then ") + describe(*op, params);
  params.zero_grad();
  return bad.empty() ? std::nullopt : std::optional(bad);
}

void save_failed(const std::string& path, const Task& task, const FailedStep& step) {
  models::Checkpoint checkpoint = task.checkpoint();
  const auto count = [&](const char* name, std::uint64_t value) {
    checkpoint.counters[name] = static_cast<std::int64_t>(value);
  };
  count("steps", step.steps);
  count("epoch", step.epoch);
  count("random_position", step.random_position);
  count("targets", step.targets);
  count("batches", step.batches.size());
  count("threads", static_cast<std::uint64_t>(autograd::threads()));
  checkpoint.training = task.memory();
  checkpoint.examples = task.recorded(step.batches);
  models::save_checkpoint(path, checkpoint);
}

}  // namespace softalign::apps
