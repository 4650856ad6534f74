// Task: what a trainer trains. A task has model and data and knows what is learned from a batch and what is good; the
// trainer (trainer.h) knows epochs, steps, what is kept and when to stop. Translation is one (translation.h).
//
// A target is what the loss is a mean over: a word of a translation, a letter of a text, a number that is predicted.
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
  models::RankSlice share = {};  // the part of the batch to learn from
};

// What a resumed training must find again.
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

  // The batches of an epoch, from 1, in their order; a batch is the places of its examples in the training data. They
  // depend on nothing but task and epoch.
  virtual std::vector<autograd::Indices> batches(std::size_t epoch) const = 0;
  virtual std::size_t targets(const autograd::Indices& batch) const = 0;
  // Parts of a batch whose gradients are computed side by side (autograd/threads/shards.h), on a thread each or one
  // after the other; 1: it is not cut.
  virtual std::size_t shards() const { return 1; }
  virtual std::string name(std::size_t example) const = 0;  // as a person finds it again: "line 3: i love you"

  // The examples of these batches as text from which they can be made again elsewhere; of no batch: the validation
  // data.
  virtual std::string recorded(const std::vector<autograd::Indices>& batches) const = 0;

  // The names of what is minimised, "loss" first.
  virtual std::vector<std::string> losses() const = 0;
  // Adds the gradient of the batch's loss over step.targets to the parameters', by one walk of backward for each shard.
  // Result: the sum over the batch's targets, before weighting, of each of the losses.
  virtual std::vector<double> forward_backward(const autograd::Indices& batch, const StepPart& step) = 0;
  // After the update that they made. `sums` are what the batches of the step left beside gradients, added up over the
  // processes that train together: as many numbers in each.
  virtual std::vector<double> step_sums() const { return {}; }
  virtual void step_done(const std::vector<double>& /*sums*/) {}
  // What it keeps from step to step beside the parameters, to be saved with them: handles.
  virtual models::NamedArrays memory() const { return {}; }

  // Initialises the parameters again, as they are after restart n from 1 on.
  virtual void restart(std::size_t n) = 0;

  // How good the parameters are on the validation data, after an epoch.
  virtual Validation validate(std::size_t epoch) = 0;

  // The task's part of a line of metrics.jsonl: what the means of the losses over an epoch say, and the last
  // validation.
  virtual nlohmann::ordered_json training_scores(const std::vector<double>& means) const = 0;
  virtual nlohmann::ordered_json validation_scores() const = 0;
};

}  // namespace softalign::apps
