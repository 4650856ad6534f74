#include "apps/training/state.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "apps/training/resume.h"
#include "data/io/error.h"
#include "data/io/files.h"

namespace softalign::apps {

namespace {

std::string sum_of(const std::string& loss) { return loss + "_sum"; }

// Calls visit(name, field) for every number of the state. This is the only list of the saved numbers. `losses` has the
// names of the losses.
template <class State, class Visit>
void visit(State& s, const std::vector<std::string>& losses, const Visit& visit) {
  visit("epoch", s.epoch);
  visit("batches", s.sums.batches);
  visit("steps", s.steps);
  for (std::size_t i = 0; i < losses.size(); ++i) visit(sum_of(losses[i]), s.sums.losses[i]);
  visit("norm_sum", s.sums.gradient_norms);
  visit("words", s.sums.targets);
  visit("best_epoch", s.best_epoch);
  visit("best_score", s.best_score);
  visit("waited", s.waited);
  visit("random_position", s.random_position);
  visit("optimiser_steps", s.optimiser_steps);
  visit("schedule_best", s.schedule.best);
  visit("schedule_waited", s.schedule.waited);
  visit("schedule_halvings", s.schedule.halvings);
  visit("metrics_bytes", s.metrics_bytes);
  visit("timing_bytes", s.timing_bytes);
  visit("history_bytes", s.history_bytes);
  visit("training_hash", s.training_hash);
  visit("validation_hash", s.validation_hash);
  visit("parts", s.parts);
  visit("best_hash", s.best_hash);
  visit("learnt", s.learnt);
  visit("restarts", s.restarts);
  visit("start_epoch", s.start_epoch);
  visit("start_steps", s.start_steps);
}

std::int64_t to_counter(double value) { return std::bit_cast<std::int64_t>(value); }
template <class Integer>
std::int64_t to_counter(Integer value) {
  return static_cast<std::int64_t>(value);
}
void from_counter(std::int64_t counter, double& value) { value = std::bit_cast<double>(counter); }
template <class Integer>
void from_counter(std::int64_t counter, Integer& value) {
  value = static_cast<Integer>(counter);
}

void check_data(const std::string& path, const TrainingState& saved, const DataIdentity& now) {
  const auto compare = [&](const char* part, std::uint64_t then, std::uint64_t given) {
    if (then == given) return;
    throw data::Error(data::ErrorKind::bad_data, fmt::format("{}: the {} {} have changed since this training started. "
                                                             "Resume with the same corpus, or start again with --force",
                                                             path, part, now.examples));
  };
  compare("training", saved.training_hash, now.training);
  compare("validation", saved.validation_hash, now.validation);
}

[[noreturn]] void implausible(const std::string& path, const std::string& what) {
  throw data::Error(data::ErrorKind::damaged_file,
                    fmt::format("{}: {}. The file was changed after train saved the file, so the training cannot "
                                "continue. Copy the file again, or start again with --force",
                                path, what));
}

void check_finite(const std::string& path, const models::NamedArrays& arrays) {
  if (const std::string name = models::first_not_finite(arrays); !name.empty())
    implausible(path, fmt::format("not every number of {} is finite", name));
}

// Returns the fewest and the most steps before the epoch. If all epochs can be planned quickly, both are the exact
// number. Otherwise they are a range, because epochs may have different numbers of batches.
std::pair<std::size_t, std::size_t> steps_before(const TrainingTask& task, std::size_t epoch,
                                                 const std::vector<autograd::Indices>& plan,
                                                 std::size_t gradient_accumulation) {
  std::size_t examples = 0, sum = 0;
  for (const autograd::Indices& batch : plan) examples += batch.size();
  constexpr std::size_t quick = 2'000'000;
  if (examples * epoch > quick) {
    const std::size_t likely = steps_of(plan.size(), gradient_accumulation) * (epoch - 1);
    return {likely / 2, likely * 2};
  }
  for (std::size_t e = 1; e < epoch; ++e) sum += steps_of(task.batches(e).size(), gradient_accumulation);
  return {sum, sum};
}

// Throws data::Error if a number is impossible. The rules follow from how a training counts (trainer.cpp).
void check_plausible(const std::string& path, const TrainingState& s, const TrainingTask& task,
                     std::size_t gradient_accumulation) {
  const auto expect = [&](bool holds, const char* name, const auto& value, const std::string& expected) {
    if (!holds) implausible(path, fmt::format("its counter {} is {}, {} expected", name, value, expected));
  };
  constexpr std::size_t most_epochs = 1'000'000, most_threads = 1'000'000;
  constexpr std::uint64_t most_numbers = std::uint64_t{1} << 62;
  expect(s.epoch >= 1 && s.epoch <= most_epochs + 1, "epoch", s.epoch, "a number from 1 on");
  const std::vector<autograd::Indices> plan = task.batches(s.epoch);
  expect(s.sums.batches <= plan.size(), "batches", s.sums.batches, fmt::format("at most {}", plan.size()));
  const auto [fewest, most] = steps_before(task, s.epoch, plan, gradient_accumulation);
  const std::size_t now = steps_of(s.sums.batches, gradient_accumulation);
  expect(s.steps >= fewest + now && s.steps <= most + now, "steps", s.steps,
         fewest == most ? fmt::format("{}", fewest + now) : fmt::format("from {} to {}", fewest + now, most + now));
  expect(s.start_epoch >= 1 && s.start_epoch <= s.epoch && (s.restarts == 0) == (s.start_epoch == 1), "start_epoch",
         s.start_epoch, s.restarts == 0 ? "1" : fmt::format("one from 2 to {}", s.epoch));
  expect(s.restarts < s.start_epoch, "restarts", s.restarts, fmt::format("less than {}", s.start_epoch));
  expect(s.learnt <= 1, "learnt", s.learnt, "0 or 1");
  expect(s.start_steps <= s.steps && (s.start_steps == 0) == (s.start_epoch == 1), "start_steps", s.start_steps,
         s.start_epoch == 1 ? "0" : fmt::format("one from 1 to {}", s.steps));
  const std::size_t own_steps = s.steps - s.start_steps;
  expect(s.optimiser_steps == own_steps, "optimiser_steps", s.optimiser_steps, fmt::format("{}", own_steps));
  std::size_t targets = 0;
  for (std::size_t i = 0; i < s.sums.batches; ++i) targets += task.targets(plan[i]);
  expect(s.sums.targets == targets, "words", s.sums.targets, fmt::format("{}", targets));
  for (const double loss : s.sums.losses) expect(std::isfinite(loss), "loss_sum", loss, "a finite number");
  expect(std::isfinite(s.sums.gradient_norms) && s.sums.gradient_norms >= 0, "norm_sum", s.sums.gradient_norms,
         "a finite number that is not negative");
  expect(s.best_epoch < s.epoch && (s.best_epoch == 0) == (s.epoch == 1), "best_epoch", s.best_epoch,
         s.epoch == 1 ? "0" : fmt::format("one from 1 to {}", s.epoch - 1));
  const std::size_t waited = s.epoch - 1 - std::max(s.best_epoch, s.start_epoch - 1);
  expect(s.waited == waited, "waited", s.waited, fmt::format("{}", waited));
  expect(std::isfinite(s.best_score), "best_score", s.best_score, "a finite number");
  expect(s.random_position <= most_numbers, "random_position", s.random_position,
         fmt::format("at most {}", most_numbers));
  expect(!std::isnan(s.schedule.best) && s.schedule.best > -std::numeric_limits<double>::infinity(), "schedule_best",
         s.schedule.best, "a loss");
  expect(s.schedule.waited < s.epoch, "schedule_waited", s.schedule.waited, fmt::format("less than {}", s.epoch));
  expect(s.schedule.halvings < s.epoch, "schedule_halvings", s.schedule.halvings, fmt::format("less than {}", s.epoch));
  expect(s.metrics_bytes >= 0, "metrics_bytes", s.metrics_bytes, "a length");
  expect(s.timing_bytes >= 0, "timing_bytes", s.timing_bytes, "a length");
  expect(s.history_bytes >= 0, "history_bytes", s.history_bytes, "a length");
  expect(s.parts <= most_threads, "parts", s.parts, fmt::format("at most {}", most_threads));
}

}  // namespace

std::uint64_t hash_of(const models::NamedArrays& parameters) {
  autograd::Fnv1a hash;
  for (const auto& [name, array] : parameters) {
    hash.add(name);
    for (std::size_t i = 0; i < array.size(); ++i)  // files store float32
      hash.add(std::uint64_t{std::bit_cast<std::uint32_t>(static_cast<float>(array.data()[i]))});
  }
  return hash.value;
}

bool holds_best(const std::string& path, const TrainingTask& task, const TrainingState& state) {
  if (state.best_epoch == 0) return true;
  if (!data::exists(path))
    throw data::Error(
        data::ErrorKind::missing_file,
        fmt::format(
            "{} does not exist. It contains the best model so far, which comes from epoch {}, and the training state "
            "does not contain that model. Copy the file from where the training ran, or start again with --force",
            path, state.best_epoch));
  const models::Checkpoint best = models::load_checkpoint(path), live = task.checkpoint();
  check_config_of_state(path, best.config, live.config);
  models::check_vocabularies(best, live.source_hash, live.target_hash);
  check_finite(path, best.parameters);
  return state.best_hash == 0 || hash_of(best.parameters) == state.best_hash;
}

std::size_t steps_of(std::size_t batches, std::size_t gradient_accumulation) {
  return (batches + gradient_accumulation - 1) / gradient_accumulation;
}

TrainingState first_state(const TrainingTask& task) {
  const DataIdentity data = task.data();
  TrainingState state;
  state.sums.losses.resize(task.losses().size());
  state.training_hash = data.training;
  state.validation_hash = data.validation;
  return state;
}

void save_state(const std::string& path, const TrainingTask& task, const models::NamedArrays& memory,
                const TrainingState& state) {
  models::Checkpoint checkpoint = task.checkpoint();
  checkpoint.training = memory;
  visit(state, task.losses(),
        [&](const std::string& name, const auto& field) { checkpoint.counters[name] = to_counter(field); });
  models::save_checkpoint(path, checkpoint);
}

TrainingState load_state(const std::string& path, const TrainingTask& task, const models::NamedArrays& memory,
                         std::size_t gradient_accumulation) {
  const models::Checkpoint saved = models::load_checkpoint(path), live = task.checkpoint();
  check_config_of_state(path, saved.config, live.config);
  models::check_vocabularies(saved, live.source_hash, live.target_hash);
  const std::vector<std::string> losses = task.losses();
  // Returns true if earlier builds did not save this number, or did not have this loss.
  const auto may_lack = [&](const std::string& name) {
    return name == "parts" || name == "best_hash" || name == "learnt" || name == "restarts" || name == "start_steps" ||
           std::any_of(losses.begin() + 1, losses.end(), [&](const std::string& l) { return sum_of(l) == name; });
  };
  const auto counter = [&](const std::string& name) {
    const auto found = saved.counters.find(name);
    if (found == saved.counters.end()) {
      if (name == "start_epoch") return std::int64_t{1};
      if (may_lack(name)) return std::int64_t{0};
      throw data::Error(data::ErrorKind::unsupported_format,
                        fmt::format("{}: the counter {} is missing, so this file is no training state. Copy "
                                    "last.safetensors again, or start again with --force",
                                    path, name));
    }
    return found->second;
  };
  TrainingState state = first_state(task);
  visit(state, losses, [&](const std::string& name, auto& field) { from_counter(counter(name), field); });
  check_data(path, state, task.data());
  check_plausible(path, state, task, gradient_accumulation);
  check_finite(path, saved.parameters);
  check_finite(path, saved.training);
  models::restore(path, saved.parameters, live.parameters);
  models::restore(path, saved.training, memory);
  return state;
}

}  // namespace softalign::apps
