// Norm-based analysis measures how much each position s adds to the context of a query. softalign computes the word
// alignments of a Transformer with this measure. docs/notation.md explains the notation.
#pragma once

#include "layers/attention/multi_head.h"

namespace softalign::layers {

// NormBasedWeights computes n_ts. This is the length of the vector that source position s adds to the context of step
// t. The sum runs over the heads k, with weights alpha^k, values v^k and output projections W_O^k.
// n_ts = |sum_k alpha_ts^k v_s^k W_O^k|, scaled to sum 1 over s        Kobayashi et al. 2020, section 3
// The attention weight alone can mislead: if a head finds no fitting word, it attends to positions with short value
// vectors, which add little. The class computes the squared length as sum_kl alpha_ts^k alpha_ts^l G_s^kl, where k and
// l are heads. G_s^kl = v_s^k W_O^k (v_s^l W_O^l)' is a scalar product, in which the prime means the transpose. It does
// not depend on the target step, so the class computes it once.
class NormBasedWeights {
 public:
  // values (S, B, d) are the encoder outputs after the attention's projection to values.
  NormBasedWeights(const MultiHead& attention, const Var& values);

  // Returns the norms n (N*R, S) for attention weights (N*R, K, S): N steps of R rows, K heads and S source positions.
  // Row r of each step belongs to the sentence sentence[r]. n is exactly 0 where the weights of all heads are 0. The
  // result has no gradient.
  Var operator()(const Var& weights, const Ids& sentence) const;

 private:
  autograd::Array G_;  // (B, K, K, S)
};

}  // namespace softalign::layers
