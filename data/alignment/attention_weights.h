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

// decoder: the attention of the decoder as a whole, in a record whose matrix is that of an alignment layer
// (models/alignment). self: the side is not known.
enum class HeadKind { cross, decoder, encoder_self, decoder_self, self };

constexpr auto names_of(HeadKind) {
  return autograd::names<HeadKind>({{"cross", HeadKind::cross},
                                    {"decoder", HeadKind::decoder},
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

// Whether rows are target steps and columns are source positions.
inline bool attends_to_source(const Head& head) {
  return head.kind == HeadKind::cross || head.kind == HeadKind::decoder;
}

// Norms of the vectors that a step averages, and of the result.
struct Norms {
  std::vector<float> source;   // |h_j|, of a query-key-value attention |v_j|, one per source position
  std::vector<float> context;  // |c_i| = |sum_j alpha_ij h_j|, one per step
};

struct AttentionWeights {
  Matrix matrix;            // matrix[t][s], what alignments are read off; empty if there is no attention
  // Further heads; `matrix` is their mean or a choice. There are none if the matrix is the only one. If one is of kind
  // `decoder`, the matrix is the alignment layer's.
  std::vector<Head> heads;
  // The scores before the softmax, if they were requested; -inf for masked positions. Each head has its own scores.
  Matrix scores = {};
  std::optional<Norms> norms = {};
  std::vector<float> gate = {};  // per step, the share of the context that the gate lets through; empty without one

  // The head with the decoder's own attention, if the matrix is an alignment layer's; else null.
  const Head* decoder_head() const {
    for (const Head& head : heads)
      if (head.kind == HeadKind::decoder) return &head;
    return nullptr;
  }
};

}  // namespace softalign::data
