// Task: the interface between the trainer and what it trains. A task has model and data, computes the gradient of a
// batch, and decides which validation is better. The trainer (trainer.h) has epochs, steps, the best model and early
// stopping. Seq2SeqTask (seq2seq_task.h) is the task of all models of the registry.
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
#include "models/training/step.h"

namespace softalign::apps {

// The step that a batch is a part of.
struct StepPart {
  std::size_t steps;             // made before it, since training began or began again (Task::restart)
  std::size_t epoch;             // from 1, counted likewise
  std::size_t targets;           // of all batches of the step together
  autograd::Random& random;      // of dropout and the like
  models::RankSlice slice = {};  // the part of the batch to learn from
};

// The properties that a resumed training must have in common with the earlier one.
struct DataIdentity {
  std::string examples;                        // their name in messages: "pairs"
  std::uint64_t training = 0, validation = 0;  // hashes
};

struct Validation {
  double loss = 0;                   // mean over the targets
  double quality = 0;                // the epoch with the highest is the best one
  std::vector<std::string> tracked;  // lines for history.jsonl
  bool learnt = false;               // good enough that other initial weights need not be tried
};

class Task {
 public:
  virtual ~Task() = default;

  virtual const autograd::Params& params() const = 0;
  // The parameters as they are, with the configuration and hashes of vocabularies that belong to them.
  virtual models::Checkpoint checkpoint() const = 0;
  virtual DataIdentity data() const = 0;

  // The batches of an epoch (from 1), in order. A batch has the indices of its examples in the training data. Batches
  // depend only on task and epoch.
  virtual std::vector<autograd::Indices> batches(std::size_t epoch) const = 0;
  virtual std::size_t targets(const autograd::Indices& batch) const = 0;
  // The number of shards of a batch (autograd/threads/shards.h). Their gradients are computed in parallel or one after
  // the other. 1 means that a batch is not split.
  virtual std::size_t shards() const { return 1; }
  virtual std::string name(std::size_t example) const = 0;  // as a person finds it again: "line 3: i love you"

  // The examples of these batches as text, so that they can be restored elsewhere. Without a batch, it is the
  // validation data.
  virtual std::string recorded(const std::vector<autograd::Indices>& batches) const = 0;

  // The names of what is minimised, "loss" first.
  virtual std::vector<std::string> losses() const = 0;
  // Adds the gradient of the batch's loss over step.targets to the parameters, with one backward pass per shard.
  // Returns the sum of each loss over the batch's targets, before weighting.
  virtual std::vector<double> forward_backward(const autograd::Indices& batch, const StepPart& step) = 0;
  // Called after the update. `sums` are other results of the step's batches, summed over the processes of the training.
  // They have the same length in each process.
  virtual std::vector<double> step_sums() const { return {}; }
  virtual void step_done(const std::vector<double>& /*sums*/) {}
  // Handles to other state that it carries from step to step, which is saved with the parameters.
  virtual models::NamedArrays memory() const { return {}; }

  // Initialises the parameters again, as they are after restart n from 1 on.
  virtual void restart(std::size_t n) = 0;

  // Validates the parameters on the validation data, after an epoch.
  virtual Validation validate(std::size_t epoch) = 0;

  // The task's part of a line of metrics.jsonl: the mean losses of an epoch, and the last validation.
  virtual nlohmann::ordered_json training_scores(const std::vector<double>& means) const = 0;
  virtual nlohmann::ordered_json validation_scores() const = 0;
};

}  // namespace softalign::apps
