#include "apps/training/state.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "apps/training/unchanged.h"

namespace apps {

namespace {

std::string sum_of(const std::string& loss) { return loss + "_sum"; }

// Calls visit(name, field) for every number of the state: the one list of what is saved. `losses` are their names.
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
    throw std::runtime_error(fmt::format(
        "{}: the {} {} are not those that this training began with; resume with the same corpus, or start anew "
        "with --force",
        path, part, now.examples));
  };
  compare("training", saved.training_hash, now.training);
  compare("validation", saved.validation_hash, now.validation);
}

}  // namespace

TrainingState first_state(const Task& task) {
  const DataIdentity data = task.data();
  TrainingState state;
  state.sums.losses.resize(task.losses().size());
  state.training_hash = data.training;
  state.validation_hash = data.validation;
  return state;
}

void save_state(const std::string& path, const Task& task, const models::NamedArrays& memory,
                const TrainingState& state) {
  models::Checkpoint checkpoint = task.checkpoint();
  checkpoint.training = memory;
  visit(state, task.losses(),
        [&](const std::string& name, const auto& field) { checkpoint.counters[name] = to_counter(field); });
  models::save_checkpoint(path, checkpoint);
}

TrainingState load_state(const std::string& path, const Task& task, const models::NamedArrays& memory) {
  const models::Checkpoint saved = models::load_checkpoint(path), live = task.checkpoint();
  check_config_of_state(path, saved.config, live.config);
  models::check_vocabularies(saved, live.source_hash, live.target_hash);
  const std::vector<std::string> losses = task.losses();
  // Earlier builds did not write it, or did not know of the loss and had none of it.
  const auto may_lack = [&](const std::string& name) {
    return name == "parts" ||
           std::any_of(losses.begin() + 1, losses.end(), [&](const std::string& l) { return sum_of(l) == name; });
  };
  const auto counter = [&](const std::string& name) {
    const auto found = saved.counters.find(name);
    if (found == saved.counters.end()) {
      if (may_lack(name)) return std::int64_t{0};
      throw std::runtime_error(fmt::format("{}: the counter {} is missing; this is no training state", path, name));
    }
    return found->second;
  };
  TrainingState state = first_state(task);
  visit(state, losses, [&](const std::string& name, auto& field) { from_counter(counter(name), field); });
  check_data(path, state, task.data());
  models::restore(path, saved.parameters, live.parameters);
  models::restore(path, saved.training, memory);
  return state;
}

}  // namespace apps
