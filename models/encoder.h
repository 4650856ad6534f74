// Encoder: how a source sentence is read, and what of it every decoder finds. Letters: docs/letters.md.
#pragma once

#include <cstddef>
#include <vector>

#include "data/corpus/batch.h"
#include "layers/attention/scaled_dot_product.h"
#include "layers/recurrent/cell.h"
#include "models/decoder.h"

namespace softalign::models {

using data::Batch;
using layers::Wanted;

struct EncoderOutput {
  Var states;                                          // (S, B, D) one for each word, in the words' order
  std::vector<layers::Cell::State> forward, backward;  // of each recurrent layer, after the last word and at the first
  std::vector<Heads> looks = {};                       // of each layer's self-attention, if they are wanted
  Var cells = {};                                      // (S, B, D) as the states, of LSTMs that look back
};

class Encoder {
 public:
  virtual ~Encoder() = default;
  virtual std::size_t width() const = 0;          // D
  virtual bool attends() const { return false; }  // its words to each other
  virtual EncoderOutput operator()(const Batch& batch, Wanted looks, const Training* training = nullptr) const = 0;
};

// Where its words look among themselves; none without self-attention.
inline std::vector<Heads> looks(const Encoder& encoder, const Batch& batch) {
  return encoder.attends() ? encoder(batch, Wanted::weights).looks : std::vector<Heads>{};
}

// 1/|x| sum_j h_j, what a sentence without a last state is summed up by: states (S, B, D) -> (B, D)
Var mean_over_words(const Var& states, const std::vector<std::size_t>& lengths);

}  // namespace softalign::models
