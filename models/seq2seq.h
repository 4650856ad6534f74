// Seq2Seq: the seam between models and everything that uses them. Training, search and alignment see only this.
#pragma once

#include <vector>

#include "autograd/storage/random.h"
#include "data/corpus/batch.h"
#include "layers/attention/memory.h"

namespace models {

using autograd::Array;
using autograd::Id;
using autograd::Ids;
using autograd::Random;
using autograd::Real;
using autograd::Var;
using data::Batch;
using layers::Memory;

// Letters: B sentences, S source steps, T target steps, V target vocabulary, R rows = hypotheses.
// Everything the decoder carries is a Var with one row per hypothesis, so that search can reorder rows and never asks
// what they mean.
struct State {
  std::vector<Var> parts;           // each (R, ..)
  Ids sentence;                     // (R) the sentence of the memory that each row attends to
  std::vector<State> members = {};  // of an ensemble (models/search/ensemble.h): each model's own
};
State select(const State& state, const Ids& rows);  // rows may repeat

struct Step {
  Var logits;  // (R, V)
  State state;
  Var attention;  // (R, S) the weights that this step's word was written with; undefined if the model has no attention
  Var heads;      // (R, K, S) each head's, `attention` being their mean; undefined unless the attention has several
};

// What training adds to a forward pass.
struct Training {
  Random& random;  // for dropout
  Real label_smoothing = 0;
};

struct Forced {
  Var losses;                  // (T*B) -log p(y_t | y_<t, x), smoothed if asked; 0 on padding
  std::vector<Var> attention;  // T times (B, S); empty if the model has no attention
  std::vector<Var> heads;      // T times (B, K, S); empty unless the attention has several heads
};

class Seq2Seq {
 public:
  virtual ~Seq2Seq() = default;
  virtual Memory encode(const Batch& batch, const Training* training = nullptr) const = 0;
  virtual State start(const Memory& memory) const = 0;  // one row per sentence
  virtual Step step(const Ids& previous, const State& state, const Memory& memory) const = 0;
  // Teacher forcing over the batch's targets: step by step in meaning, all steps at once where the model knows how.
  virtual Forced forced(const Batch& batch, const Training* training = nullptr) const = 0;
};

}  // namespace models
