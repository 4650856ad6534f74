#include "apps/training/training_state.h"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>

namespace apps {

namespace {

// Calls visit(name, field) for every number of the state: the one list of what is saved.
template <class State, class Visit>
void visit(State& s, const Visit& visit) {
  visit("epoch", s.epoch);
  visit("batches", s.batches);
  visit("steps", s.steps);
  visit("loss_sum", s.losses.words);
  visit("guided_alignment_sum", s.losses.guided_alignment);
  visit("coverage_sum", s.losses.coverage);
  visit("norm_sum", s.norm_sum);
  visit("words", s.words);
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

models::Checkpoint checkpoint_of(const Run& run) {
  models::Checkpoint checkpoint;
  checkpoint.config = run.config;
  checkpoint.source_hash = run.source.hash();
  checkpoint.target_hash = run.target.hash();
  checkpoint.parameters = models::named_arrays(run.params);
  return checkpoint;
}

}  // namespace

void save_model(const std::string& path, const Run& run) { models::save_checkpoint(path, checkpoint_of(run)); }

void save_state(const std::string& path, const Run& run, const models::NamedArrays& memory,
                const TrainingState& state) {
  models::Checkpoint checkpoint = checkpoint_of(run);
  checkpoint.training = memory;
  visit(state, [&](const std::string& name, const auto& field) { checkpoint.counters[name] = to_counter(field); });
  models::save_checkpoint(path, checkpoint);
}

TrainingState load_state(const std::string& path, const Run& run, const models::NamedArrays& memory) {
  const models::Checkpoint checkpoint = models::load_checkpoint(path);
  models::check_vocabularies(checkpoint, run.source.hash(), run.target.hash());
  const auto counter = [&](const std::string& name) {
    const auto found = checkpoint.counters.find(name);
    if (found == checkpoint.counters.end()) {
      throw std::runtime_error(fmt::format("{}: the counter {} is missing; this is no training state", path, name));
    }
    return found->second;
  };
  TrainingState state;
  visit(state, [&](const std::string& name, auto& field) { from_counter(counter(name), field); });
  models::restore(path, checkpoint.parameters, models::named_arrays(run.params));
  models::restore(path, checkpoint.training, memory);
  return state;
}

}  // namespace apps
