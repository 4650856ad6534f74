#include "apps/training/divergence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>

#include "autograd/anomaly_detection.h"
#include "autograd/threads/blas.h"
#include "models/training/step.h"

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
  } catch (const std::exception&) {  // `watch` has recorded the problem
  }
  if (const auto op = watch.found()) bad += (bad.empty() ? "" : "; then ") + describe(*op, params);
  params.zero_grad();
  return bad.empty() ? std::nullopt : std::optional(bad);
}

void save_failed(const std::string& path, const TrainingTask& task, const FailedStep& step) {
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

namespace {

// Returns the names of the first examples of a step.
std::string name_examples(const TrainingTask& task, const std::vector<autograd::Indices>& batches) {
  constexpr std::size_t most = 8;
  std::size_t count = 0;
  std::string text;
  for (const autograd::Indices& batch : batches) {
    for (const std::size_t i : batch) {
      if (++count <= most) text += "\n  " + task.name(i);
    }
  }
  if (count > most) text += fmt::format("\n  and {} more", count - most);
  return text;
}

// Returns where a number went wrong, according to the first rank that found one.
std::optional<std::string> first_found(const Communicator& ranks, const std::optional<std::string>& mine) {
  const std::vector<std::string> all = ranks.all(mine.value_or(""));
  const auto its = std::find_if(all.begin(), all.end(), [](const std::string& text) { return !text.empty(); });
  if (its == all.end()) return std::nullopt;
  return ranks.alone() ? *its : fmt::format("{} (in rank {}'s part)", *its, its - all.begin());
}

[[noreturn]] void stop(const GuardedTraining& t, const std::string& where, const std::string& reason,
                       const FailedStep& failed, const std::string& found) {
  std::string replay;
  try {
    t.check_writing();
    if (t.ranks.first()) save_failed(t.folder.diverged(), t.task, failed);
    replay = fmt::format("train --replay {} repeats the step", t.folder.diverged());
  } catch (const std::exception& error) {
    replay = fmt::format("It is not kept for train --replay: {}", error.what());
  }
  t.ranks.barrier();  // otherwise another rank may end all before the file is complete
  const std::string kept = t.state.best_epoch > 0
                               ? fmt::format("{} is the best model, of epoch {}", t.folder.model(), t.state.best_epoch)
                               : std::string("No epoch has ended, so there is no model yet");
  throw models::Diverged(
      fmt::format("{} (epoch {}): {}\nFirst NaN or Inf: {}\n{}\n{}. A lower --lr or --clip may help.", where,
                  t.state.epoch, reason, found, replay, kept));
}

}  // namespace

void stop_if_diverged(const GuardedTraining& t, const std::exception& reason, const FailedStep& failed,
                      const std::function<void()>& repeat) {
  const bool diverged = dynamic_cast<const models::Diverged*>(&reason) != nullptr;
  if (!diverged && !t.ranks.alone()) return;  // the other ranks do not know of the exception
  const auto found = first_bad_number(t.task.params(), repeat);
  if (!diverged && !found) return;
  const std::string where = first_found(t.ranks, found).value_or(nothing_bad);
  stop(t, fmt::format("step {}", t.state.steps + 1),
       fmt::format("{}. The batch was{}", reason.what(), name_examples(t.task, failed.batches)), failed, where);
}

Validation validate_or_stop(const GuardedTraining& t) {
  const auto found = [&] {
    return first_found(t.ranks, first_bad_number(t.task.params(), [&] { t.task.validate(t.state.epoch); }));
  };
  const auto fail = [&](const std::string& reason) {
    stop(t, fmt::format("after step {}", t.state.steps), reason, {t.state.steps, t.state.epoch, 0, 0, {}},
         found().value_or(nothing_bad));
  };
  try {
    models::check_finite(t.task.params());
  } catch (const models::Diverged& reason) {
    fail(reason.what());
  }
  Validation valid;
  try {
    valid = t.task.validate(t.state.epoch);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& refused) {  // search, scores and records refuse NaN and infinity
    if (found()) fail(refused.what());
    throw;
  }
  if (!std::isfinite(valid.loss)) fail(fmt::format("the validation loss is {}", valid.loss));
  return valid;
}

}  // namespace softalign::apps
