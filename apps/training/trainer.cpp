#include "apps/training/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "apps/ranks/communicator.h"
#include "apps/run/run_files.h"
#include "apps/training/thread_choice.h"
#include "autograd/leaf_watch.h"
#include "autograd/threads/blas.h"

namespace softalign::apps {

namespace {

double ratio(double a, double b) { return b > 0 ? a / b : 0; }

}  // namespace

Epoch::Epoch(std::vector<autograd::Indices> plan, std::size_t gradient_accumulation, EpochSums& sums)
    : plan_(std::move(plan)), gradient_accumulation_(gradient_accumulation), sums_(sums) {}

std::vector<autograd::Indices> Epoch::next() const {
  const auto first = plan_.begin() + static_cast<std::ptrdiff_t>(sums_.batches);
  const std::size_t count = std::min(gradient_accumulation_, plan_.size() - sums_.batches);
  return {first, first + static_cast<std::ptrdiff_t>(count)};
}

void Epoch::add(const StepSums& result) {
  sums_.batches += next().size();
  for (std::size_t i = 0; i < result.losses.size(); ++i) sums_.losses[i] += result.losses[i];
  sums_.gradient_norms += result.gradient_norm;
  sums_.targets += result.targets;
  targets_ += result.targets;
  seconds_ = watch_.seconds();
}

std::vector<double> Epoch::mean_losses() const {
  std::vector<double> means = sums_.losses;
  for (double& loss : means) loss /= static_cast<double>(sums_.targets);
  return means;
}

double Epoch::mean_gradient_norm() const {
  return sums_.gradient_norms / static_cast<double>(steps_of(sums_.batches, gradient_accumulation_));
}

double Epoch::targets_per_second() const { return ratio(static_cast<double>(targets_), seconds_); }

Progress Epoch::progress(std::size_t number, std::size_t epochs) const {
  Progress p;
  p.epoch = number;
  p.epochs = epochs;
  p.done = ratio(static_cast<double>(sums_.batches), static_cast<double>(plan_.size()));
  p.loss = ratio(sums_.losses.front(), static_cast<double>(sums_.targets));
  p.words_per_second = targets_per_second();
  // The estimate assumes that every epoch has as many targets as this one.
  const double an_epoch = ratio(static_cast<double>(sums_.targets), p.done);
  const double epochs_left = static_cast<double>(epochs - number) + 1 - p.done;
  p.seconds_left = ratio(an_epoch * epochs_left, p.words_per_second);
  return p;
}

namespace {

// Returns a hash of everything in a checkpoint but its parameters.
std::uint64_t identity(const models::Checkpoint& checkpoint) {
  return autograd::Fnv1a().add(checkpoint.config).add(checkpoint.source_hash).add(checkpoint.target_hash).value;
}

}  // namespace

autograd::Random dropout_stream(std::uint64_t seed) { return autograd::Random(seed).split("dropout"); }

const Communicator Trainer::one_process;

Trainer::Trainer(TrainingTask& task, const TrainerOptions& options, const RunFolder& folder, const Communicator& ranks)
    : task_(task),
      options_(options),
      folder_(folder),
      ranks_(ranks),
      gradients_(ranks, task.params(), options.gradient_dtype),
      optimiser_(task.params(), options.optimiser),
      schedule_(options.schedule, steps_of(task.batches(1).size(), options.gradient_accumulation) * options.epochs),
      random_(dropout_stream(options.seed)),
      threads_(static_cast<int>(thread_work(task, ranks).threads)),
      trials_(task.shards()),
      state_(first_state(task)) {
  if (options.ema > 0) average_.emplace(task.params(), options.ema);
  state_.parts = parts();
}

std::string Trainer::resume() {
  state_ = load_state(folder_.last(), task_, memory(), options_.gradient_accumulation);
  has_best_ = holds_best(folder_.model(), task_, state_);
  schedule_.set_state(state_.schedule);
  optimiser_.set_steps(state_.optimiser_steps);
  random_.set_position(state_.random_position);
  const std::size_t before = std::exchange(state_.parts, parts());
  if (before == 0 || before == state_.parts) return "";  // 0: an earlier build did not save the number
  return fmt::format(
      "note: batches were split into {} shards, one per thread of each process, and are now split into {}. Therefore "
      "dropout masks and rounding differ",
      before, state_.parts);
}

void Trainer::check_alike() const {
  if (ranks_.alone()) return;
  const DataIdentity data = task_.data();
  check_same(ranks_, {{"training data", data.training},
                      {"validation data", data.validation},
                      {"options, or vocabularies", identity(task_.checkpoint())},
                      {"threads", task_.shards()},
                      {"steps behind it", state_.steps},
                      {"parameters", hash(task_.params())}});
}

TrainingEnd Trainer::train(const TrainingHooks& hooks) {
  const autograd::KernelsInForce kernels(options_.kernels);
  check_alike();
  writing_ = hooks.writing;
  check_writing();
  std::optional<Journals> journals;
  if (ranks_.first()) journals.emplace(folder_, state_);
  forget();  // a training that was killed at the end of save() may have left old files
  while (true) {
    const bool stopped = options_.patience > 0 && state_.waited >= options_.patience;
    if (stopped || state_.epoch > last_epoch()) {
      if (state_.learnt || state_.restarts >= options_.restarts)
        return stopped ? TrainingEnd::stopped_early : TrainingEnd::finished;
      restart(hooks);
    }
    Epoch epoch(task_.batches(state_.epoch), options_.gradient_accumulation, state_.sums);
    if (!train_epoch(hooks, journals, epoch)) return TrainingEnd::interrupted;
    const EpochReport report = finish_epoch(journals, epoch);
    save(hooks, journals);
    if (hooks.epoch) hooks.epoch(report);
  }
}

// Resets everything that outlives a step to its state before the first epoch. Only the random stream of dropout
// continues.
void Trainer::restart(const TrainingHooks& hooks) {
  ++state_.restarts;
  state_.start_epoch = state_.epoch;
  state_.start_steps = state_.steps;
  state_.waited = 0;
  task_.restart(state_.restarts);
  for (const autograd::NamedArray& array : optimiser_.state()) autograd::Array(array.array).fill(0);
  optimiser_.set_steps(0);
  schedule_.set_state({});
  if (options_.ema > 0) average_.emplace(task_.params(), options_.ema);
  if (hooks.restart) hooks.restart(state_.restarts);
}

bool Trainer::train_epoch(const TrainingHooks& hooks, std::optional<Journals>& journals, Epoch& epoch) {
  while (!epoch.done()) {
    const bool alone = trials_.given_up();
    epoch.add(step(epoch.next()));
    ++state_.steps;
    if (hooks.one_thread && !alone && trials_.given_up()) hooks.one_thread(task_.shards());
    if (hooks.step) hooks.step(epoch.progress(state_.epoch, last_epoch()));
    const bool interrupted = ranks_.any(hooks.interrupted && hooks.interrupted());
    if (interrupted || (options_.save_every > 0 && state_.steps % options_.save_every == 0)) save(hooks, journals);
    if (interrupted) return false;
  }
  return true;
}

std::vector<double> Trainer::add_batch(const autograd::Indices& batch, std::size_t targets) {
  return task_.forward_backward(batch, {own_steps(), own_epoch(), targets, random_, {ranks_.rank(), ranks_.count()}});
}

std::vector<double> Trainer::add_last_batch(const autograd::Indices& batch, std::size_t targets) {
  std::optional<autograd::LeafWatch> watch;
  // With several shards, no gradient is complete before all shards are done.
  const bool early = !ranks_.alone() && task_.shards() == 1;
  if (early) watch.emplace([&](const autograd::Var& leaf) { gradients_.done(leaf); });
  return add_batch(batch, targets);
}

StepSums Trainer::step(const std::vector<autograd::Indices>& batches) {
  const std::uint64_t position = random_.position();
  StepSums result;
  result.losses.resize(state_.sums.losses.size());
  for (const autograd::Indices& batch : batches) result.targets += task_.targets(batch);
  const auto total = [](const std::vector<double>& losses) {
    return std::accumulate(losses.begin(), losses.end(), 0.);
  };
  const auto run_batch = [&](std::size_t i) {
    const bool last = i + 1 == batches.size();
    const std::vector<double> losses =
        last ? add_last_batch(batches[i], result.targets) : add_batch(batches[i], result.targets);
    for (std::size_t l = 0; l < losses.size(); ++l) result.losses[l] += losses[l];
    return total(losses);
  };
  const auto all_reduce = [&] {
    ranks_.sum(result.losses);
    gradients_.finish();
    return total(result.losses);
  };
  try {
    const autograd::ThreadLimit limit(threads_);
    trials_.run(static_cast<double>(result.targets), [&] {
      result.gradient_norm = models::training_step(
          task_.params(), optimiser_, batches.size(), run_batch,
          {.learning_rate = schedule_.rate(own_steps() + 1, own_epoch()), .clip = options_.clip}, all_reduce);
    });
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& reason) {
    stop_if_diverged(guarded(), reason, {own_steps(), own_epoch(), position, result.targets, batches}, [&] {
      random_.set_position(position);
      for (const autograd::Indices& batch : batches) add_batch(batch, result.targets);
    });
    throw;
  }
  std::vector<double> sums = task_.step_sums();
  ranks_.sum(sums);
  task_.step_done(sums);
  if (average_) average_->update(optimiser_.steps());
  return result;
}

EpochReport Trainer::finish_epoch(std::optional<Journals>& journals, const Epoch& epoch) {
  const autograd::Stopwatch watch;
  std::optional<models::WeightAverage::InForce> averaged;
  if (average_) averaged.emplace(*average_);
  if (!ranks_.alone()) check_same(ranks_, {{"parameters", hash(task_.params())}});
  const Validation valid = validate_or_stop(guarded());
  EpochReport report;
  report.epoch = state_.epoch;
  report.steps = state_.steps;
  report.losses = epoch.mean_losses();
  report.learning_rate = schedule_.rate(own_steps(), own_epoch());
  report.gradient_norm = epoch.mean_gradient_norm();
  report.best = keep(valid);
  schedule_.epoch_done(valid.loss);
  ++state_.epoch;
  state_.sums = {.losses = std::vector<double>(state_.sums.losses.size())};

  report.train_seconds = epoch.seconds();
  report.seconds = epoch.seconds() + watch.seconds();
  report.words_per_second = epoch.targets_per_second();
  if (!journals) return report;
  journals->metrics.append(report.metrics(task_));
  journals->timing.append(report.timing());
  for (const std::string& line : valid.tracked) journals->history.append(line);
  return report;
}

void Trainer::check_writing() const {
  if (ranks_.first() && writing_) writing_();
}

bool Trainer::keep(const Validation& valid) {
  check_writing();
  const bool best = state_.best_epoch == 0 || valid.quality > state_.best_score;
  ++state_.waited;
  if (best) {
    if (ranks_.first()) models::save_checkpoint(folder_.model(), task_.checkpoint());
    state_.best_epoch = state_.epoch;
    state_.best_score = valid.quality;
    state_.learnt = valid.learnt;
    state_.best_hash = hash_of(models::named_arrays(task_.params()));
    state_.waited = 0;
    has_best_ = true;
  }
  check_writing();
  if (options_.keep_epochs > 0 && ranks_.first())
    models::save_checkpoint(epoch_file(folder_, state_.epoch), task_.checkpoint());
  return best;
}

void Trainer::save(const TrainingHooks& hooks) {
  writing_ = hooks.writing;
  std::optional<Journals> journals;
  if (ranks_.first()) journals.emplace(folder_, state_);
  save(hooks, journals);
}

void Trainer::save(const TrainingHooks& hooks, std::optional<Journals>& journals) {
  gradients_.drop_errors();
  if (!journals) return;
  check_writing();
  state_.schedule = schedule_.state();
  state_.random_position = random_.position();
  state_.optimiser_steps = optimiser_.steps();
  state_.metrics_bytes = journals->metrics.sync();
  state_.timing_bytes = journals->timing.sync();
  state_.history_bytes = journals->history.sync();
  save_state(folder_.last(), task_, memory(), state_);
  check_writing();
  if (hooks.saved) hooks.saved();
  forget();  // called last, so that a training that is killed earlier can be resumed
}

void Trainer::forget() const {
  if (ranks_.first() && state_.epoch > options_.keep_epochs + 1)
    forget_epochs(folder_, state_.epoch - 1 - options_.keep_epochs);
}

models::NamedArrays Trainer::memory() const {
  models::NamedArrays arrays = average_ ? average_->state() : models::NamedArrays{};
  const models::NamedArrays optimiser = optimiser_.state();
  arrays.insert(arrays.end(), optimiser.begin(), optimiser.end());
  const models::NamedArrays own = task_.memory();
  arrays.insert(arrays.end(), own.begin(), own.end());
  return arrays;
}

}  // namespace softalign::apps
