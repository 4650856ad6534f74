// This file trains models of the type Seq2Seq, which are the models of all tasks of `train --task` (apps/run/tasks.h).
#pragma once

#include <vector>

#include "apps/inference/evaluation.h"
#include "apps/run/run_folder.h"
#include "apps/training/trainer.h"
#include "apps/training/training_data.h"
#include "apps/training/training_task.h"
#include "data/alignment/record.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

// A training state stores the reward baseline of hard attention under this name. The name must not change, because
// files of earlier builds contain it.
inline constexpr const char* reward_baseline = "looks/baseline";

// Seq2SeqTask trains a Seq2Seq on pairs of a source and a target. During the validation, it scores the texts that the
// model writes, and the alignments. A language model has no source, so there is no translation to score. Therefore the
// validation loss decides which epoch of a language model is best.
class Seq2SeqTask : public TrainingTask {
 public:
  // `run` and `data` must outlive the task.
  Seq2SeqTask(LoadedRun& run, const TrainingData& data);

  const autograd::Params& params() const override { return run_.params; }
  models::Checkpoint checkpoint() const override;
  DataIdentity data() const override;

  std::vector<autograd::Indices> batches(std::size_t epoch) const override;
  std::size_t targets(const autograd::Indices& batch) const override;  // number of words or subwords, with </s>
  std::size_t shards() const override;
  std::string name(std::size_t example) const override;

  std::string recorded(const std::vector<autograd::Indices>& batches) const override;  // apps/training/replay.h

  std::vector<std::string> losses() const override;
  std::vector<double> forward_backward(const autograd::Indices& batch, const StepPart& step) override;
  std::vector<double> step_sums() const override;  // hard attention: sums of rewards, numbers of captions
  void step_done(const std::vector<double>& sums) override;
  models::NamedArrays memory() const override;

  void restart(std::size_t n) override;

  // Validates the model: it translates the sources greedily, and computes alignments by teacher forcing. The option
  // --keep chooses the score by which epochs are compared: loss, BLEU or AER.
  Validation validate(std::size_t epoch) override;
  nlohmann::ordered_json training_scores(const std::vector<double>& means) const override;
  nlohmann::ordered_json validation_scores() const override;

  // Returns a note for the user if most words of a side are not in its vocabulary, because the model can then learn
  // little. Otherwise returns "".
  std::string unknown_note() const;

  // These functions return the results of the last validation. The records are alignments of the first validation
  // sentences under teacher forcing. There are no records if the model has no attention.
  const EvaluationScores& score() const { return score_; }
  const std::vector<data::Record>& tracked() const { return tracked_; }

 private:
  double quality() const;

  LoadedRun& run_;
  const TrainOptions& options_;
  const TrainingData& data_;
  std::vector<data::EncodedPair> pairs_;
  autograd::Array baseline_;  // (T) reward baseline of hard attention
  models::Rewards rewards_;   // of the step under way
  EvaluationScores score_;
  std::vector<data::Record> tracked_;
};

// Returns the training objective after this number of steps and in this epoch, because parts of it change during the
// training, for example scheduled sampling. `baseline` is the reward baseline of hard attention.
models::Objective objective_in(const TrainOptions& options, std::size_t steps, std::size_t epoch,
                               const autograd::Array& baseline);

// Returns the options of the trainer.
TrainerOptions trainer_options(const TrainOptions& options);

// Returns the run's parameters with its configuration and vocabularies, as model.safetensors stores them.
models::Checkpoint checkpoint_of(const LoadedRun& run);

}  // namespace softalign::apps
