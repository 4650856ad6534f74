// The corpora of a training, and whether they and the model have what the options ask for.
#pragma once

#include <vector>

#include "apps/inference/evaluation.h"
#include "apps/run/run_folder.h"
#include "apps/training/task.h"
#include "apps/training/trainer.h"
#include "data/alignment/record.h"
#include "data/corpus/batches.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

struct TrainingData {
  data::Corpus train, valid;
  std::vector<data::Links> learnt = {};  // of guided attention with --align: the links of each training pair
};

// The corpora that the options name. Every problem with the user's files shows here, before anything is written. With
// --align and --guided-alignment the training pairs have links that EM learnt from them in place of gold.
TrainingData read_training_data(const TrainOptions& options);

// The links that EM learns from the pairs (data/alignment/em/learnt_links.h), with a report of it.
std::vector<data::Links> links_by_em(const std::vector<data::Pair>& pairs);

data::BatchOptions batch_options(const TrainOptions& options);

// data::Error, saying what to try: guided alignment without a sure link to learn from, AER without gold to
// measure it, attention to be taught in a model that has none.
void check_feasible(const Run& run, const TrainingData& data);

// Translation as a task: pairs of sentences, a Seq2Seq, and its translations and alignments as what is good. So is
// language modelling: the sources are empty, nothing is translated, and the loss is what is good.

// Of what a training state holds.
inline constexpr const char* reward_baseline = "looks/baseline";

class Translation : public Task {
 public:
  // `run` and `data` must outlive the task.
  Translation(Run& run, const TrainingData& data);

  const autograd::Params& params() const override { return run_.params; }
  models::Checkpoint checkpoint() const override;
  DataIdentity data() const override;

  std::vector<autograd::Indices> batches(std::size_t epoch) const override;
  std::size_t targets(const autograd::Indices& batch) const override;  // words, or pieces; </s> counted
  std::size_t shards() const override;
  std::string name(std::size_t example) const override;

  std::string recorded(const std::vector<autograd::Indices>& batches) const override;  // apps/training/replay.h

  std::vector<std::string> losses() const override;
  std::vector<double> forward_backward(const autograd::Indices& batch, const StepPart& step) override;
  std::vector<double> step_sums() const override;  // rewards of hard looks, and of how many captions
  void step_done(const std::vector<double>& sums) override;
  models::NamedArrays memory() const override;

  void restart(std::size_t n) override;

  // Greedy translations and forced alignments; better is what --keep says.
  Validation validate(std::size_t epoch) override;
  nlohmann::ordered_json training_scores(const std::vector<double>& means) const override;
  nlohmann::ordered_json validation_scores() const override;

  // A note for the user if most words of a side have no entry in its vocabulary, so that little can be learnt; "" else.
  std::string unknown_note() const;

  // Of the last validation; the records are of its first sentences, forced, and none if the model has no attention.
  const Score& score() const { return score_; }
  const std::vector<data::Record>& tracked() const { return tracked_; }

 private:
  double quality() const;

  Run& run_;
  const TrainOptions& options_;
  const TrainingData& data_;
  std::vector<data::EncodedPair> pairs_;
  autograd::Array baseline_;  // (T) of hard looks
  models::Rewards rewards_;   // of the step under way
  Score score_;
  std::vector<data::Record> tracked_;
};

// What is minimised in a step of that epoch, with the `baseline` of hard looks.
models::Objective objective_in(const TrainOptions& options, std::size_t steps, std::size_t epoch,
                               const autograd::Array& baseline);

// What the options say to the trainer.
TrainerOptions trainer_options(const TrainOptions& options);

// The run's parameters with its configuration and vocabularies, as model.safetensors.
models::Checkpoint checkpoint_of(const Run& run);

}  // namespace softalign::apps
