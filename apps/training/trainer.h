// This file is the training loop. It controls epochs, steps, the learning rate and validation, keeps the best model,
// and resumes trainings. It uses a TrainingTask for everything that depends on the model and the data. With several
// processes (apps/ranks), each process computes the gradient of its part of every batch. All processes make the same
// update, and only the first writes files.
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

// StepSums has the results of one step.
struct StepSums {
  std::vector<double> losses;  // TrainingTask::losses, sums over the targets, before the update
  std::size_t targets = 0;
  double gradient_norm = 0;  // before clipping
};

// The class Epoch describes the current epoch: its batches, the number of batches per step, its progress and its speed.
class Epoch {
 public:
  // Starts to measure the time. `plan` has all batches of the epoch. sums.batches says how many of them are already
  // done, which is not 0 if --resume continues an epoch. add() adds each step to `sums`, so `sums` must outlive this
  // object.
  Epoch(std::vector<autograd::Indices> plan, std::size_t gradient_accumulation, EpochSums& sums);

  bool done() const { return sums_.batches >= plan_.size(); }
  std::vector<autograd::Indices> next() const;  // returns the batches of the next step
  void add(const StepSums& result);

  std::vector<double> mean_losses() const;  // means over the targets so far
  double mean_gradient_norm() const;        // mean over the steps so far
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
  std::size_t epochs = 16;  // largest number of epochs for each set of initial weights
  // Validation::learnt says whether the model is good enough. If it is false for the best epoch, the training starts
  // again from other initial weights, at most `restarts` times. The best epoch over all restarts is kept.
  std::size_t restarts = 0;
  std::size_t gradient_accumulation = 1;  // batches whose gradients make one update
  autograd::OptimiserOptions optimiser = {};
  autograd::ScheduleOptions schedule = {};
  double clip = 1;  // largest norm of the whole gradient; 0: no limit
  double ema = 0;   // decay of the weights' moving average, which is then saved instead; 0: none
  autograd::Kernels kernels = autograd::Kernels::fused;
  std::size_t patience = 0;     // the training stops after this number of epochs without a better one; 0: never
  std::size_t keep_epochs = 0;  // number of last epochs whose parameters are kept, in addition to the best epoch
  std::size_t save_every = 0;   // steps between saved training states; 0: after each epoch only
  GradientDtype gradient_dtype = GradientDtype::float32;  // type of gradients between processes
};

// TrainingHooks are functions that the trainer calls. Each may be empty.
struct TrainingHooks {
  std::function<void(const Progress&)> step;
  std::function<void(const EpochReport&)> epoch;
  std::function<void(std::size_t restart)> restart;     // the training restarts from other weights
  std::function<void()> saved;                          // a state of the training is on disk
  std::function<void(std::size_t threads)> one_thread;  // one thread works alone: the machine is busy
  std::function<void()> writing;      // called before a file of the run is written; may throw to prevent this
  std::function<bool()> interrupted;  // called after each step; if it returns true, the training stops
};

// Returns the random number generator of a training with this seed. Each step uses it, for example for dropout.
autograd::Random dropout_stream(std::uint64_t seed);

// TrainingEnd says how a training ended.
enum class TrainingEnd { finished, stopped_early, interrupted };

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
  TrainingEnd train(const TrainingHooks& hooks);
  // Saves the current state, for a training that is stopped before its first step.
  void save(const TrainingHooks& hooks);

  const TrainingState& state() const { return state_; }
  // Returns true if model.safetensors contains the parameters of the best epoch. After --resume this may be false,
  // because the file may have changed after the state was saved.
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
  // own_steps() returns the number of steps since the last restart, and own_epoch() returns the number of the epoch,
  // counted from this restart. The TrainingTask and the schedule of the learning rate use these numbers, so a restart
  // begins like a new training.
  std::size_t own_steps() const { return state_.steps - state_.start_steps; }
  std::size_t own_epoch() const { return state_.epoch + 1 - state_.start_epoch; }
  void restart(const TrainingHooks& hooks);
  bool train_epoch(const TrainingHooks& hooks, std::optional<Journals>& journals, Epoch& epoch);  // false: interrupted
  StepSums step(const std::vector<autograd::Indices>& batches);
  void check_alike() const;  // checks that all processes have equal data and options
  std::size_t parts() const { return task_.shards() * ranks_.count(); }  // number of parts of a batch
  // Returns the parts of this training that the functions of divergence.h need, to stop it if a number is not finite.
  GuardedTraining guarded() const {
    return {task_, ranks_, folder_, state_, [this] { check_writing(); }};
  }
  std::vector<double> add_batch(const autograd::Indices& batch, std::size_t targets);  // returns the losses
  std::vector<double> add_last_batch(const autograd::Indices& batch,
                                     std::size_t targets);  // starts to sum gradients over processes
  EpochReport finish_epoch(std::optional<Journals>& journals, const Epoch& epoch);
  bool keep(const Validation& valid);  // saves the epoch; returns true if it is the best so far
  void save(const TrainingHooks& hooks, std::optional<Journals>& journals);
  void check_writing() const;          // calls writing_ in the process that writes files
  void forget() const;                 // removes files of epochs that need not be kept
  models::NamedArrays memory() const;  // arrays, other than parameters, that outlive a step

  TrainingTask& task_;
  TrainerOptions options_;
  RunFolder folder_;
  const Communicator& ranks_;
  GradientSum gradients_;
  autograd::Optimiser optimiser_;
  autograd::Schedule schedule_;
  autograd::Random random_;  // random stream of the task
  std::optional<models::WeightAverage> average_;
  int threads_;  // number of threads that work on a step
  autograd::ThreadTrials trials_;
  TrainingState state_;
  bool has_best_ = true;
  std::function<void()> writing_;  // TrainingHooks::writing
};

}  // namespace softalign::apps
