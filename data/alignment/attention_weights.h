// AttentionWeights says where a model attended while it read or wrote one sentence pair. Decoding
// (models/search/hypothesis.h, apps/run/batched_inference.h) and the alignment record (record.h) use this struct.
// models/batch_weights.h has the same numbers for a batch.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "autograd/names.h"

namespace softalign::data {

// A Matrix has the attention weights of one sentence pair. matrix[t][s] is the weight of source position s at target
// step t.
using Matrix = std::vector<std::vector<float>>;

// HeadKind says which attention a head belongs to. `cross` is attention from target to source. encoder_self and
// decoder_self are self-attention, and `self` is self-attention of an unknown side. A run may have an alignment layer
// (models/alignment), which is trained only to align words. The matrix of the sentence pair then comes from this layer,
// alone or combined with the decoder's own attention to the source, which becomes a head of the kind `decoder`.
enum class HeadKind { cross, decoder, encoder_self, decoder_self, self };

constexpr auto names_of(HeadKind) {
  return autograd::names<HeadKind>({{"cross", HeadKind::cross},
                                    {"decoder", HeadKind::decoder},
                                    {"encoder-self", HeadKind::encoder_self},
                                    {"decoder-self", HeadKind::decoder_self},
                                    {"self", HeadKind::self}});
}

// A Head has the attention weights of one head in one layer.
struct Head {
  std::size_t layer = 0, head = 0;
  HeadKind kind = HeadKind::cross;
  Matrix matrix;       // one row per step (encoder_self: per source position); a row sums to 1 or is all 0
  Matrix scores = {};  // scores before the softmax, as in AttentionWeights
};

// Returns true if the rows of a head are target steps, and its columns are source positions.
inline bool attends_to_source(const Head& head) {
  return head.kind == HeadKind::cross || head.kind == HeadKind::decoder;
}

// The struct Norms has the lengths (Euclidean norms) of the vectors that attention averages, and of the averages.
struct Norms {
  std::vector<float> source;   // one per source position: |h_j|, or |v_j| for attention with values v_j
  std::vector<float> context;  // one per step: |c_i| = |sum_j alpha_ij h_j| of the context c_i
};

struct AttentionWeights {
  Matrix matrix;  // matrix[t][s], for alignments; empty if there is no attention
  // `heads` has the weights of each single head. It is empty if there is only one head. `matrix` is computed from the
  // heads, unless one of them has the kind `decoder`. Then the matrix comes from the alignment layer, alone
  // (layer_share is 1) or combined with that head (models/alignment/combined_weights.h).
  std::vector<Head> heads;
  // `scores` has the scores before the softmax, if the caller requested them. A masked position has -inf. Each head
  // also has its own scores.
  Matrix scores = {};
  std::optional<Norms> norms = {};
  std::vector<float> gate = {};  // per step, the share of the context that the gate lets through; empty without a gate
  std::optional<float> layer_share = {};  // if a head has the kind `decoder`: share of the alignment layer in `matrix`

  // Returns the head of the kind `decoder`, or null if there is none.
  const Head* decoder_head() const {
    for (const Head& head : heads)
      if (head.kind == HeadKind::decoder) return &head;
    return nullptr;
  }
};

}  // namespace softalign::data
