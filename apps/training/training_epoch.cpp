// The end of an epoch: validation, what is kept of it, and the saved state.
#include "apps/run/kept_epochs.h"
#include "apps/training/stopwatch.h"
#include "apps/training/trainer.h"
#include "data/alignment/record_json.h"

namespace apps {

EpochReport Trainer::finish_epoch(Journals& journals, const Clock& clock) {
  const Stopwatch watch;
  models::check_finite(run_.params);
  std::optional<models::WeightAverage::InForce> averaged;
  if (average_) averaged.emplace(*average_);
  const std::vector<EvaluatedPair> valid = evaluate(run_, data_.valid.pairs, {});
  const auto words = static_cast<double>(state_.words);
  EpochReport report;
  report.epoch = state_.epoch;
  report.steps = state_.steps;
  report.train_loss = state_.losses.words / words;
  if (options_.objective.guided_alignment > 0) report.guided_alignment = state_.losses.guided_alignment / words;
  if (options_.objective.coverage > 0) report.coverage = state_.losses.coverage / words;
  report.valid = score(valid);
  report.learning_rate = schedule_.rate(state_.steps, state_.epoch);
  report.gradient_norm = state_.norm_sum / static_cast<double>(steps_of(state_.batches));
  report.best = keep(report.valid);
  schedule_.epoch_done(report.valid.loss());
  start_next_epoch();

  report.train_seconds = clock.seconds;
  report.seconds = clock.seconds + watch.seconds();
  report.words_per_second = clock.speed();
  journals.metrics.append(report.metrics());
  journals.timing.append(report.timing());
  for (std::size_t i = 0; i < valid.size() && i < options_.track && report.valid.attention_rows > 0; ++i) {
    data::Record record = forced_record(*valid[i].pair, valid[i].forced, i);
    record.epoch = report.epoch;
    journals.history.append(to_json(record));
    report.tracked.push_back(std::move(record));
  }
  return report;
}

bool Trainer::keep(const Score& valid) {
  const double value = options_.keep == "bleu"  ? valid.bleu.score()
                       : options_.keep == "aer" ? -valid.alignment.aer()
                                                : -valid.loss();
  const bool best = state_.best_epoch == 0 || value > state_.best_score;
  ++state_.waited;
  if (best) {
    save_model(folder_.model(), run_);
    state_.best_epoch = state_.epoch;
    state_.best_score = value;
    state_.waited = 0;
  }
  if (options_.keep_epochs > 0) save_model(epoch_file(folder_, state_.epoch), run_);
  return best;
}

void Trainer::start_next_epoch() {
  ++state_.epoch;
  state_.batches = state_.words = 0;
  state_.losses = {};
  state_.norm_sum = 0;
}

void Trainer::save(Journals& journals) {
  state_.schedule = schedule_.state();
  state_.random_position = random_.position();
  state_.optimiser_steps = optimiser_.steps();
  state_.metrics_bytes = journals.metrics.sync();
  state_.timing_bytes = journals.timing.sync();
  state_.history_bytes = journals.history.sync();
  save_state(folder_.last(), run_, memory(), state_);
  // Only now: a training that is killed before this line still has what it would need.
  if (state_.epoch > options_.keep_epochs + 1) forget_epochs(folder_, state_.epoch - 1 - options_.keep_epochs);
}

models::NamedArrays Trainer::memory() const {
  models::NamedArrays arrays = average_ ? average_->state() : models::NamedArrays{};
  for (const autograd::NamedArray& a : optimiser_.state()) arrays.push_back({a.name, a.array});
  return arrays;
}

}  // namespace apps
