#include "apps/training/trainer.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/run/run_text.h"
#include "apps/training/stopwatch.h"
#include "autograd/fused/kernels.h"

namespace apps {

namespace {

double ratio(double a, double b) { return b > 0 ? a / b : 0; }

// The pairs of a step as a person finds them again, the first few of them.
std::string name_pairs(const std::vector<data::Pair>& pairs, const std::vector<data::Indices>& batches) {
  constexpr std::size_t most = 8;
  std::size_t count = 0;
  std::string text;
  for (const data::Indices& indices : batches) {
    for (const std::size_t i : indices) {
      if (++count <= most) text += fmt::format("\n  line {}: {}", pairs[i].line, data::join_words(pairs[i].source));
    }
  }
  if (count > most) text += fmt::format("\n  and {} more", count - most);
  return text;
}

}  // namespace

Trainer::Trainer(Run& run, const TrainingData& data, const RunFolder& folder)
    : run_(run),
      options_(run.options),
      data_(data),
      folder_(folder),
      pairs_(encode(run, data.train.pairs)),
      batching_{.sentences = options_.batch, .tokens = options_.batch_tokens, .seed = options_.common.seed},
      total_steps_(steps_of(data::plan_batches(pairs_, batching_, 1).size()) * options_.epochs),
      optimiser_(run.params, options_.optimiser),
      schedule_(options_.schedule, total_steps_),
      random_(autograd::Random(options_.common.seed).split("dropout")) {
  if (options_.ema > 0) average_.emplace(run.params, options_.ema);
  state_.training_hash = hash(pairs_);
  state_.validation_hash = hash(encode(run, data.valid.pairs));
}

void Trainer::resume() {
  const TrainingState now = state_;
  state_ = load_state(folder_.last(), run_, memory());
  const auto compare = [&](const char* corpus, std::uint64_t then, std::uint64_t given) {
    if (then == given) return;
    throw std::runtime_error(fmt::format(
        "{}: the {} pairs are not those that this training began with; resume with the same corpus, or start anew "
        "with --force",
        folder_.last(), corpus));
  };
  compare("training", state_.training_hash, now.training_hash);
  compare("validation", state_.validation_hash, now.validation_hash);
  schedule_.set_state(state_.schedule);
  optimiser_.set_steps(state_.optimiser_steps);
  random_.set_position(state_.random_position);
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
  const Stopwatch watch;
  const std::vector<data::Indices> plan = data::plan_batches(pairs_, batching_, state_.epoch);
  while (state_.batches < plan.size()) {
    const std::size_t count = std::min(options_.accumulate, plan.size() - state_.batches);
    const auto first = plan.begin() + static_cast<std::ptrdiff_t>(state_.batches);
    const StepResult result = step({first, first + static_cast<std::ptrdiff_t>(count)});
    state_.batches += count;
    ++state_.steps;
    state_.losses += result.losses;
    state_.norm_sum += result.gradient_norm;
    state_.words += result.words;
    clock.words += result.words;
    clock.seconds = watch.seconds();
    if (hooks.step) hooks.step(result, progress(plan.size(), clock));
    const bool interrupted = hooks.interrupted && hooks.interrupted();
    if (interrupted || (options_.save_every > 0 && state_.steps % options_.save_every == 0)) save(journals);
    if (interrupted) return false;
  }
  return true;
}

StepResult Trainer::step(const std::vector<data::Indices>& indices) {
  std::vector<data::Batch> batches;
  for (const data::Indices& i : indices) batches.push_back(data::make_batch(pairs_, i));
  models::Objective objective = options_.objective;
  objective.true_words = true_word_probability(options_.sampling, state_.steps);
  try {
    const StepResult result = training_step(*run_.model, run_.params, optimiser_, batches, objective,
                                            {.learning_rate = rate(), .clip = options_.clip}, random_);
    if (average_) average_->update(optimiser_.steps());
    return result;
  } catch (const Diverged& reason) {
    stop(reason, indices);
  }
}

void Trainer::stop(const Diverged& reason, const std::vector<data::Indices>& batches) {
  const std::string kept = state_.best_epoch > 0
                               ? fmt::format("{} is the best model, of epoch {}", folder_.model(), state_.best_epoch)
                               : std::string("No epoch has ended, so there is no model yet");
  throw Diverged(fmt::format("step {} (epoch {}): {}. The batch was{}\n{}. A lower --lr or --clip may help.",
                             state_.steps + 1, state_.epoch, reason.what(), name_pairs(data_.train.pairs, batches),
                             kept));
}

std::size_t Trainer::steps_of(std::size_t batches) const {
  return (batches + options_.accumulate - 1) / options_.accumulate;
}

double Trainer::rate() const { return schedule_.rate(state_.steps + 1, state_.epoch); }

Progress Trainer::progress(std::size_t batches, const Clock& clock) const {
  Progress p;
  p.epoch = state_.epoch;
  p.epochs = options_.epochs;
  p.done = ratio(static_cast<double>(state_.batches), static_cast<double>(batches));
  p.loss = ratio(state_.losses.words, static_cast<double>(state_.words));
  p.words_per_second = clock.speed();
  // the words left, if every epoch has as many as this one promises
  const double words_an_epoch = ratio(static_cast<double>(state_.words), p.done);
  const double epochs_left = static_cast<double>(options_.epochs - state_.epoch) + 1 - p.done;
  p.seconds_left = ratio(words_an_epoch * epochs_left, p.words_per_second);
  return p;
}

}  // namespace apps
