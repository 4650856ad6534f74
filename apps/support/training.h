// The training loop: epochs over length-bucketed batches, validation, the best model kept, everything resumable.
#pragma once

#include <functional>
#include <vector>

#include "apps/support/corpus_files.h"
#include "apps/support/epoch_report.h"
#include "apps/support/journal.h"
#include "apps/support/progress.h"
#include "apps/support/run_folder.h"
#include "apps/support/training_state.h"
#include "apps/support/training_step.h"
#include "data/batches.h"
#include "data/corpus.h"

namespace apps {

struct TrainingData {
  data::Corpus train, valid;
};

// The corpora that the options name. Every problem with the user's files shows here, before anything is written.
TrainingData read_training_data(const TrainOptions& options);

// What a training tells, and asks, while it runs. Each may be empty.
struct TrainingHooks {
  std::function<void(const StepResult&, const Progress&)> step;
  std::function<void(const EpochReport&)> epoch;
  std::function<bool()> interrupted;  // asked after each step
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
  };

  bool train_epoch(const TrainingHooks& hooks, Journals& journals, Clock& clock);  // false: interrupted
  StepResult step(const data::Indices& indices);
  [[noreturn]] void stop(const Diverged& reason, const data::Indices& indices);
  EpochReport finish_epoch(Journals& journals, const Clock& clock);
  void save(Journals& journals);
  Progress progress(std::size_t batches, const Clock& clock) const;
  double rate() const;  // the learning rate of the next step

  Run& run_;
  const TrainOptions& options_;
  const TrainingData& data_;
  RunFolder folder_;
  std::vector<data::EncodedPair> pairs_;
  data::BatchOptions batching_;
  std::size_t total_steps_;
  autograd::Optimiser optimiser_;
  autograd::Schedule schedule_;
  autograd::Random dropout_;
  TrainingState state_;
};

}  // namespace apps
