// Norm-based analysis measures how much each position adds to the context of a query. A Transformer's alignments use
// this measure. docs/notation.md explains the letters.
#pragma once

#include "layers/attention/multi_head.h"

namespace softalign::layers {

// n_ts = |sum_k alpha_ts^k v_s^k W_O^k|, scaled to sum 1 over s        Kobayashi et al. 2020, section 3
// A position with a large weight may add little, because a head without anything to attend to chooses positions with
// short values. The class uses |x|^2 = sum_kl alpha^k alpha^l G_s^kl. The products G_s^kl = v_s^k W_O^k (v_s^l W_O^l)'
// do not depend on the target step, so they are computed once.
class NormBasedWeights {
 public:
  // values (S, B, d) are the values that the attention has projected.
  NormBasedWeights(const MultiHead& attention, const Var& values);

  // Returns n (N*R, S) for weights (N*R, K, S). Row r of each of the N steps belongs to the sentence sentence[r]. n is
  // exactly 0 where the weights of all heads are 0. It has no gradient.
  Var operator()(const Var& weights, const Ids& sentence) const;

 private:
  autograd::Array G_;  // (B, K, K, S)
};

}  // namespace softalign::layers
