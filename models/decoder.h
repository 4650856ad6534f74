// Decoder: what writes, a step at a time, looking at a memory. Search, sampling, ensembles, interventions and scheduled
// sampling see this and the memory alone, so they serve whatever was read. Letters: docs/letters.md; here B are sources
// and S places of the longest, be they words or not.
#pragma once

#include <cstddef>
#include <memory>

#include "autograd/random.h"
#include "models/memory.h"
#include "models/state.h"
#include "models/weights.h"

namespace softalign::models {

using autograd::Array;
using autograd::Random;
using autograd::Real;
using layers::Reweight;

struct Step {
  Var logits;  // (R, V)
  State state;
  Weights weights;  // that this step's word was written with
};

// What is to be written, known beforehand.
struct Targets {
  std::size_t steps = 0;  // T
  Ids in;                 // (T*B) time-major, row t*B + b: <s> y_1 .. y_m <pad> ..     what the decoder reads
  Ids out;                // (T*B)                          y_1 .. y_m </s> <pad> ..    what it must write
};

// What training adds to a forward pass.
struct Training {
  Random& random;  // for dropout
  Real label_smoothing = 0;
};

struct Forced {
  Var losses;       // (T*B) -log p(y_t | y_<t, x), smoothed if asked; 0 on padding
  Weights weights;  // of T*B rows
};

class Decoder {
 public:
  virtual ~Decoder() = default;
  virtual bool attends() const = 0;                      // whether steps have weights
  virtual bool has_scores() const { return attends(); }  // and these are the softmax of scores
  virtual State start(const Memory& memory) const = 0;   // one row per source
  virtual Step step(const Ids& previous, const State& state, const Memory& memory) const = 0;
  // Teacher forcing: step by step in meaning, all steps at once where the decoder knows how.
  virtual Forced forced(const Memory& memory, const Targets& targets, const Training* training = nullptr) const = 0;
  // This decoder, but every look at the memory is changed on its way from the scores to the context.
  // std::invalid_argument without attention, or in a step for which `change` returns another shape.
  virtual std::unique_ptr<Decoder> reweighted(const Reweight& change) const;
  // This decoder over K of its words, which it reads and writes as 0 .. K-1 in their order; memories stay what they
  // are. std::invalid_argument of a decoder that always writes with all.
  virtual std::unique_ptr<Decoder> with_words(const Ids& words) const;
};

}  // namespace softalign::models
