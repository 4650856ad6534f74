// This file is the training loop. It has epochs, steps, learning-rate schedules, validation, the best model, and
// resuming. It uses a TrainingTask for everything that depends on the model and the data. With several processes
// (apps/ranks), each process computes the gradient of its part of every batch. All processes make the same update, and
// only the first writes files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "apps/ranks/gradient_sum.h"
#include "apps/run/run_files.h"
#include "apps/terminal/progress.h"
#include "apps/training/divergence.h"
#include "apps/training/metrics.h"
#include "apps/training/state.h"
#include "apps/training/training_task.h"
#include "autograd/kernels.h"
#include "autograd/optimise/optimiser.h"
#include "autograd/optimise/schedule.h"
#include "autograd/stopwatch.h"
#include "autograd/threads/thread_trials.h"
#include "models/training/step.h"
#include "models/training/weight_average.h"

namespace softalign::apps {

// The result of one step.
struct StepSums {
  std::vector<double> losses;  // TrainingTask::losses, sums over the targets, before the update
  std::size_t targets = 0;
  double gradient_norm = 0;  // before clipping
};

// Epoch is the current epoch: its batches, the number of batches per step, its progress and its speed.
class Epoch {
 public:
  // Starts the clock and continues after the batches that `sums` counts. `sums` must outlive this object and grow with
  // every step.
  Epoch(std::vector<autograd::Indices> plan, std::size_t gradient_accumulation, EpochSums& sums);

  bool done() const { return sums_.batches >= plan_.size(); }
  std::vector<autograd::Indices> next() const;  // of the next step
  void add(const StepSums& result);

  std::vector<double> mean_losses() const;  // over the targets so far
  double mean_gradient_norm() const;        // over the steps so far
  double seconds() const { return seconds_; }
  double targets_per_second() const;
  // Returns the progress of epoch `number` out of `epochs`.
  Progress progress(std::size_t number, std::size_t epochs) const;

 private:
  std::vector<autograd::Indices> plan_;
  std::size_t gradient_accumulation_;
  EpochSums& sums_;
  autograd::Stopwatch watch_;
  double seconds_ = 0;       // up to the last step, in this session
  std::size_t targets_ = 0;  // in this session
};

struct TrainerOptions {
  std::uint64_t seed = 1;
  std::size_t epochs = 16;  // from each set of initial weights
  // If no epoch has Validation::learnt, the training restarts from other initial weights, at most this number of times.
  // The best epoch over all restarts is kept.
  std::size_t restarts = 0;
  std::size_t gradient_accumulation = 1;  // batches whose gradients make one update
  autograd::OptimiserOptions optimiser = {};
  autograd::ScheduleOptions schedule = {};
  double clip = 1;  // largest norm of the whole gradient; 0: no limit
  double ema = 0;   // decay of the weights' moving average, which is then what is kept; 0: none
  autograd::Kernels kernels = autograd::Kernels::fused;
  std::size_t patience = 0;     // stop after so many epochs without a better one; 0: never
  std::size_t keep_epochs = 0;  // last epochs whose parameters are kept beside the best one's
  std::size_t save_every = 0;   // steps between saved training states; 0: after each epoch only
  GradientDtype gradient_dtype = GradientDtype::float32;  // in which gradients travel between processes
};

// Callbacks of a training. Each may be empty.
struct TrainingHooks {
  std::function<void(const Progress&)> step;
  std::function<void(const EpochReport&)> epoch;
  std::function<void(std::size_t restart)> restart;     // training begins again, from other weights
  std::function<void()> saved;                          // a state of the training is on disk
  std::function<void(std::size_t threads)> one_thread;  // of so many goes on alone: the machine is busy
  std::function<void()> writing;      // a file of the run is about to be written: throws where that may not be
  std::function<bool()> interrupted;  // asked after each step, which ends all the batches that it accumulates
};

// Returns the random stream for the task of a training with this seed.
autograd::Random dropout_stream(std::uint64_t seed);

enum class Outcome { finished, stopped_early, interrupted };

class Trainer {
 public:
  // `task` and `ranks` must outlive the trainer.
  Trainer(TrainingTask& task, const TrainerOptions& options, const RunFolder& folder,
          const Communicator& ranks = one_process);

  // Resumes from last.safetensors. Throws data::Error if the file does not exist or does not match the training. If
  // batches are split into a different number of shards, the result names what will differ from an uninterrupted
  // training. Otherwise the result is empty.
  std::string resume();

  // Trains from the current state to the last epoch. Writes models, states and metrics. Throws models::Diverged if the
  // loss or the gradient is not finite. The message has the step, its examples, and the parameter and op in which the
  // problem began. The best model stays, and diverged.safetensors contains the step.
  Outcome train(const TrainingHooks& hooks);
  // Saves the current state, for a training that is stopped before its first step.
  void save(const TrainingHooks& hooks);

  const TrainingState& state() const { return state_; }
  // Returns true if model.safetensors contains the best epoch's parameters. After --resume, it may contain others.
  bool has_best() const { return has_best_; }

 private:
  struct Journals {
    Journals(const RunFolder& folder, const TrainingState& state)
        : metrics(folder.metrics(), state.metrics_bytes),
          timing(folder.timing(), state.timing_bytes),
          history(folder.history(), state.history_bytes) {}
    Journal metrics, timing, history;
  };

  static const Communicator one_process;

  std::size_t last_epoch() const { return state_.start_epoch - 1 + options_.epochs; }
  // Returns the steps since the last restart. The task and the schedule count in the same way.
  std::size_t own_steps() const { return state_.steps - state_.start_steps; }
  std::size_t own_epoch() const { return state_.epoch + 1 - state_.start_epoch; }
  void restart(const TrainingHooks& hooks);
  bool train_epoch(const TrainingHooks& hooks, std::optional<Journals>& journals, Epoch& epoch);  // false: interrupted
  StepSums step(const std::vector<autograd::Indices>& batches);
  void check_alike() const;                                              // all ranks, before they begin
  std::size_t parts() const { return task_.shards() * ranks_.count(); }  // of a batch
  // Whom divergence.h stops if a number is not finite.
  GuardedTraining guarded() const {
    return {task_, ranks_, folder_, state_, [this] { check_writing(); }};
  }
  std::vector<double> add_batch(const autograd::Indices& batch, std::size_t targets);  // its gradient; the losses
  std::vector<double> add_last_batch(const autograd::Indices& batch,
                                     std::size_t targets);  // of a step: sums begin meanwhile
  EpochReport finish_epoch(std::optional<Journals>& journals, const Epoch& epoch);
  bool keep(const Validation& valid);  // the epoch's parameters; true: it is the best so far
  void save(const TrainingHooks& hooks, std::optional<Journals>& journals);
  void check_writing() const;          // in the process that writes
  void forget() const;                 // kept epochs beyond those that are asked for
  models::NamedArrays memory() const;  // all that outlives a step beside the parameters

  TrainingTask& task_;
  TrainerOptions options_;
  RunFolder folder_;
  const Communicator& ranks_;
  GradientSum gradients_;
  autograd::Optimiser optimiser_;
  autograd::Schedule schedule_;
  autograd::Random random_;  // what a task draws from
  std::optional<models::WeightAverage> average_;
  int threads_;  // that work on a step
  autograd::ThreadTrials trials_;
  TrainingState state_;
  bool has_best_ = true;
  std::function<void()> writing_;  // TrainingHooks::writing
};

}  // namespace softalign::apps
