// AttentionWeights says where a model attended while it read or wrote one sentence pair. Decoding
// (models/search/hypothesis.h, apps/run/inference.h), the record and its JSON (record.h) use the same struct.
// models/batch_weights.h has the same numbers for a batch.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "autograd/names.h"

namespace softalign::data {

// A Matrix has the attention weights of one pair, matrix[t][s], with one row per target step and one column per source
// position.
using Matrix = std::vector<std::vector<float>>;

enum class HeadKind { cross, encoder_self, decoder_self, self };  // self: the side is not known

constexpr auto names_of(HeadKind) {
  return autograd::names<HeadKind>({{"cross", HeadKind::cross},
                                    {"encoder-self", HeadKind::encoder_self},
                                    {"decoder-self", HeadKind::decoder_self},
                                    {"self", HeadKind::self}});
}

// Head is one head of one layer's attention.
struct Head {
  std::size_t layer = 0, head = 0;
  HeadKind kind = HeadKind::cross;
  Matrix matrix;       // one row per step (encoder_self: source position); it sums to 1 or is all 0
  Matrix scores = {};  // as AttentionWeights::scores
};

// Norms has the norms of the vectors that a step averages, and of the result.
struct Norms {
  std::vector<float> source;   // |h_j|, of a query-key-value attention |v_j|, one per source position
  std::vector<float> context;  // |c_i| = |sum_j alpha_ij h_j|, one per step
};

struct AttentionWeights {
  Matrix matrix;            // matrix[t][s], the weights for alignments; empty if there is no attention
  std::vector<Head> heads;  // single heads; `matrix` is their mean or a choice; empty if it is the only head
  // These are the scores before the softmax, if the caller requested them. Masked positions have -inf. Each head has
  // its own scores.
  Matrix scores = {};
  std::optional<Norms> norms = {};
  std::vector<float> gate = {};  // per step, the share of the context that the gate lets through; empty without one
};

}  // namespace softalign::data
