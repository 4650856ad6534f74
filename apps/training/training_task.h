// TrainingTask is the interface between the trainer and what it trains. A TrainingTask has a model and its data. It
// computes the gradient of a batch, and decides which validation result is better. The trainer (trainer.h) controls
// epochs, steps, the best model and early stopping. Seq2SeqTask (seq2seq_task.h) is the task of all models of the
// registry.
//
// The loss is a mean over targets. A target is a word of a translation, a letter of a text, or a predicted number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "autograd/params.h"
#include "autograd/random.h"
#include "models/checkpoint.h"
#include "models/training/rank_slice.h"

namespace softalign::apps {

// StepPart describes the training step to which a batch belongs.
struct StepPart {
  std::size_t steps;             // number of steps before this step, since the start or the last restart
  std::size_t epoch;             // number of the epoch since then, counted from 1
  std::size_t targets;           // number of targets in all batches of the step
  autograd::Random& random;      // random stream, for example for dropout
  models::RankSlice slice = {};  // the part of the batch that this process computes
};

// DataIdentity identifies the data of a training. A training can be resumed only with the same data.
struct DataIdentity {
  std::string examples;                        // name of the examples in messages, for example "pairs"
  std::uint64_t training = 0, validation = 0;  // hashes of the data
};

struct Validation {
  double loss = 0;                   // mean over the targets
  double quality = 0;                // the epoch with the highest quality is the best one
  std::vector<std::string> tracked;  // lines for history.jsonl
  bool learnt = false;               // true if the model is so good that no restart is necessary
};

class TrainingTask {
 public:
  virtual ~TrainingTask() = default;

  virtual const autograd::Params& params() const = 0;
  // Returns the current parameters, with their configuration and the hashes of their vocabularies.
  virtual models::Checkpoint checkpoint() const = 0;
  virtual DataIdentity data() const = 0;

  // Returns the batches of an epoch in order. Epochs are counted from 1. A batch has the indices of its examples in the
  // training data. The batches depend only on this TrainingTask and the number of the epoch.
  virtual std::vector<autograd::Indices> batches(std::size_t epoch) const = 0;
  virtual std::size_t targets(const autograd::Indices& batch) const = 0;
  // Returns the number of shards into which a batch is split (autograd/threads/shards.h). The gradients of the shards
  // are computed in parallel or one after the other. 1 means that a batch is not split.
  virtual std::size_t shards() const { return 1; }
  virtual std::string name(std::size_t example) const = 0;  // name for the user: "line 3: i love you"

  // Returns the examples of these batches as text, so that they can be restored without the corpus. If no batch is
  // given, it returns the validation data.
  virtual std::string recorded(const std::vector<autograd::Indices>& batches) const = 0;

  // Returns the names of the losses that the training minimises, with "loss" first.
  virtual std::vector<std::string> losses() const = 0;
  // Adds the gradient of the batch to the parameters, with one backward pass per shard. The loss of the batch is
  // divided by step.targets. Returns the sum of each loss over the batch's targets, before weighting.
  virtual std::vector<double> forward_backward(const autograd::Indices& batch, const StepPart& step) = 0;
  // Some trainings need sums over the batches of a step in addition to the losses. step_sums() returns the sums of this
  // process. Each process returns the same number of sums. The trainer adds up the sums of all processes after the
  // update of a step, and passes the totals to step_done().
  virtual std::vector<double> step_sums() const { return {}; }
  virtual void step_done(const std::vector<double>& /*sums*/) {}
  // Returns references to the arrays, other than the parameters, that one training step hands to the next. They are
  // saved together with the parameters.
  virtual models::NamedArrays memory() const { return {}; }

  // Initialises the parameters again for restart number n, counted from 1.
  virtual void restart(std::size_t n) = 0;

  // Computes the results of the model on the validation data, after an epoch.
  virtual Validation validate(std::size_t epoch) = 0;

  // These functions return parts of a line of metrics.jsonl. training_scores() returns the mean losses of an epoch, and
  // validation_scores() returns the results of the last validation.
  virtual nlohmann::ordered_json training_scores(const std::vector<double>& means) const = 0;
  virtual nlohmann::ordered_json validation_scores() const = 0;
};

}  // namespace softalign::apps
