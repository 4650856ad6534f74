#include "apps/support/training.h"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "autograd/kernels.h"

namespace apps {

namespace {

using Time = std::chrono::steady_clock;
double seconds_since(Time::time_point start) { return std::chrono::duration<double>(Time::now() - start).count(); }

double ratio(double a, double b) { return b > 0 ? a / b : 0; }

// The pairs of a batch as a person finds them again, the first few of them.
std::string name_pairs(const std::vector<data::Pair>& pairs, const data::Indices& indices) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t i = 0; i < indices.size() && i < most; ++i) {
    const data::Pair& pair = pairs[indices[i]];
    text += fmt::format("\n  line {}: {}", pair.line, data::join_words(pair.source));
  }
  if (indices.size() > most) text += fmt::format("\n  and {} more", indices.size() - most);
  return text;
}

}  // namespace

TrainingData read_training_data(const TrainOptions& options) {
  const CorpusFiles train = training_files(options), valid = validation_files(options);
  return {.train = read_corpus(train, options, options.max_length, data::TooLong::drop),
          .valid = read_corpus(valid, options, options.max_length, data::TooLong::refuse)};
}

Trainer::Trainer(Run& run, const TrainingData& data, const RunFolder& folder)
    : run_(run),
      options_(run.options),
      data_(data),
      folder_(folder),
      pairs_(data::encode(data.train.pairs, run.source, run.target)),
      batching_{.sentences = options_.batch, .tokens = options_.batch_tokens, .seed = options_.common.seed},
      total_steps_(data::plan_batches(pairs_, batching_, 1).size() * options_.epochs),
      optimiser_(run.params, options_.optimiser),
      schedule_(options_.schedule, total_steps_),
      dropout_(autograd::Random(options_.common.seed).split("dropout")) {
  state_.training_pairs = pairs_.size();
}

void Trainer::resume() {
  state_ = load_state(folder_.last(), run_, optimiser_);
  if (state_.training_pairs != pairs_.size()) {
    throw std::runtime_error(
        fmt::format("{}: this training began with {} pairs, now there are {}; resume with the same "
                    "corpus, or start anew with --force",
                    folder_.last(), state_.training_pairs, pairs_.size()));
  }
  schedule_.set_state(state_.schedule);
  dropout_.set_position(state_.dropout_position);
}

Outcome Trainer::train(const TrainingHooks& hooks) {
  autograd::set_kernels(options_.kernels == "composed" ? autograd::Kernels::composed : autograd::Kernels::fused);
  Journals journals{Journal(folder_.metrics(), state_.metrics_bytes), Journal(folder_.timing(), state_.timing_bytes),
                    Journal(folder_.history(), state_.history_bytes)};
  while (state_.epoch <= options_.epochs) {
    if (options_.patience > 0 && state_.waited >= options_.patience) return Outcome::stopped_early;
    Clock clock;
    if (!train_epoch(hooks, journals, clock)) return Outcome::interrupted;
    const EpochReport report = finish_epoch(journals, clock);
    save(journals);
    if (hooks.epoch) hooks.epoch(report);
  }
  return Outcome::finished;
}

bool Trainer::train_epoch(const TrainingHooks& hooks, Journals& journals, Clock& clock) {
  const Time::time_point start = Time::now();
  const std::vector<data::Indices> plan = data::plan_batches(pairs_, batching_, state_.epoch);
  while (state_.batches < plan.size()) {
    const StepResult result = step(plan[state_.batches]);
    ++state_.batches;
    ++state_.steps;
    state_.loss_sum += result.loss * static_cast<double>(result.words);
    state_.norm_sum += result.gradient_norm;
    state_.words += result.words;
    clock.words += result.words;
    clock.seconds = seconds_since(start);
    if (hooks.step) hooks.step(result, progress(plan.size(), clock));
    const bool interrupted = hooks.interrupted && hooks.interrupted();
    if (interrupted || (options_.save_every > 0 && state_.steps % options_.save_every == 0)) save(journals);
    if (interrupted) return false;
  }
  return true;
}

StepResult Trainer::step(const data::Indices& indices) {
  try {
    return training_step(*run_.model, run_.params, optimiser_, data::make_batch(pairs_, indices),
                         {.learning_rate = rate(), .clip = options_.clip, .label_smoothing = options_.label_smoothing},
                         dropout_);
  } catch (const Diverged& reason) {
    stop(reason, indices);
  }
}

void Trainer::stop(const Diverged& reason, const data::Indices& indices) {
  const std::string kept = state_.best_epoch > 0
                               ? fmt::format("{} is the best model, of epoch {}", folder_.model(), state_.best_epoch)
                               : std::string("No epoch has ended, so there is no model yet");
  throw Diverged(fmt::format("step {} (epoch {}): {}. The batch was{}\n{}. A lower --lr or --clip may help.",
                             state_.steps + 1, state_.epoch, reason.what(), name_pairs(data_.train.pairs, indices),
                             kept));
}

EpochReport Trainer::finish_epoch(Journals& journals, const Clock& clock) {
  const Time::time_point start = Time::now();
  check_finite(run_.params);
  const std::vector<EvaluatedPair> valid = evaluate(run_, data_.valid.pairs, {});
  EpochReport report;
  report.epoch = state_.epoch;
  report.steps = state_.steps;
  report.train_loss = ratio(state_.loss_sum, static_cast<double>(state_.words));
  report.valid = score(valid);
  report.learning_rate = schedule_.rate(state_.steps, state_.epoch);
  report.gradient_norm = ratio(state_.norm_sum, static_cast<double>(state_.batches));

  const double value = options_.keep == "bleu" ? report.valid.bleu.score() : -report.valid.loss();
  report.best = state_.best_epoch == 0 || value > state_.best_score;
  ++state_.waited;
  if (report.best) {
    save_model(folder_.model(), run_);
    state_.best_epoch = state_.epoch;
    state_.best_score = value;
    state_.waited = 0;
  }
  schedule_.epoch_done(report.valid.loss());
  ++state_.epoch;
  state_.batches = state_.words = 0;
  state_.loss_sum = state_.norm_sum = 0;

  report.train_seconds = clock.seconds;
  report.seconds = clock.seconds + seconds_since(start);
  report.words_per_second = ratio(static_cast<double>(clock.words), clock.seconds);
  journals.metrics.append(report.metrics().dump());
  journals.timing.append(report.timing());
  for (std::size_t i = 0; i < valid.size() && i < options_.track; ++i) {
    data::Record record = forced_record(*valid[i].pair, valid[i].forced, i);
    record.epoch = report.epoch;
    journals.history.append(to_json(record));
  }
  return report;
}

void Trainer::save(Journals& journals) {
  state_.schedule = schedule_.state();
  state_.dropout_position = dropout_.position();
  state_.metrics_bytes = journals.metrics.sync();
  state_.timing_bytes = journals.timing.sync();
  state_.history_bytes = journals.history.sync();
  save_state(folder_.last(), run_, optimiser_, state_);
}

double Trainer::rate() const { return schedule_.rate(state_.steps + 1, state_.epoch); }

Progress Trainer::progress(std::size_t batches, const Clock& clock) const {
  Progress p;
  p.epoch = state_.epoch;
  p.epochs = options_.epochs;
  p.done = ratio(static_cast<double>(state_.batches), static_cast<double>(batches));
  p.loss = ratio(state_.loss_sum, static_cast<double>(state_.words));
  p.words_per_second = ratio(static_cast<double>(clock.words), clock.seconds);
  // the words left, if every epoch has as many as this one promises
  const double words_an_epoch = ratio(static_cast<double>(state_.words), p.done);
  const double epochs_left = static_cast<double>(options_.epochs - state_.epoch) + 1 - p.done;
  p.seconds_left = ratio(words_an_epoch * epochs_left, p.words_per_second);
  return p;
}

}  // namespace apps
