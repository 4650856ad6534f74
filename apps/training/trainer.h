// The training loop: epochs over length-bucketed batches, validation, the best model kept, everything resumable.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "apps/terminal/progress.h"
#include "apps/training/epoch_report.h"
#include "apps/training/journal.h"
#include "apps/training/training_data.h"
#include "apps/training/training_state.h"
#include "data/corpus/batches.h"
#include "models/training/step.h"
#include "models/training/weight_average.h"

namespace apps {

using models::Diverged;
using models::StepResult;

// What a training tells, and asks, while it runs. Each may be empty.
struct TrainingHooks {
  std::function<void(const StepResult&, const Progress&)> step;
  std::function<void(const EpochReport&)> epoch;
  std::function<bool()> interrupted;  // asked after each step, which ends all the batches that it accumulates
};

enum class Outcome { finished, stopped_early, interrupted };

class Trainer {
 public:
  // `run` and `data` must outlive the trainer.
  Trainer(Run& run, const TrainingData& data, const RunFolder& folder);

  // Goes on from last.safetensors. std::runtime_error if there is none or it does not fit.
  void resume();

  // From where the state is to the last epoch. Writes the run folder's files but config and vocabularies.
  // Throws Diverged if loss or gradient stop being finite, naming step, sentences and parameter; the best model stays.
  Outcome train(const TrainingHooks& hooks);

  const TrainingState& state() const { return state_; }

 private:
  struct Journals {
    Journal metrics, timing, history;
  };
  // Wall-clock of the epoch under way, in this session.
  struct Clock {
    double seconds = 0;
    std::size_t words = 0;
    double speed() const { return seconds > 0 ? static_cast<double>(words) / seconds : 0; }
  };

  bool train_epoch(const TrainingHooks& hooks, Journals& journals, Clock& clock);  // false: interrupted
  StepResult step(const std::vector<data::Indices>& batches);
  [[noreturn]] void stop(const Diverged& reason, const std::vector<data::Indices>& batches);
  EpochReport finish_epoch(Journals& journals, const Clock& clock);
  bool keep(const Score& valid);  // the epoch's parameters; true: it is the best so far
  void start_next_epoch();
  void save(Journals& journals);
  models::NamedArrays memory() const;  // all that outlives a step beside the parameters
  Progress progress(std::size_t batches, const Clock& clock) const;
  std::size_t steps_of(std::size_t batches) const;  // of --accumulate batches each, the last with what is left
  double rate() const;                              // the learning rate of the next step

  Run& run_;
  const TrainOptions& options_;
  const TrainingData& data_;
  RunFolder folder_;
  std::vector<data::EncodedPair> pairs_;
  data::BatchOptions batching_;
  std::size_t total_steps_;
  autograd::Optimiser optimiser_;
  autograd::Schedule schedule_;
  autograd::Random random_;  // of dropout and scheduled sampling
  std::optional<models::WeightAverage> average_;
  TrainingState state_;
};

}  // namespace apps
