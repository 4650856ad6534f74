// Norm-based analysis measures how much each position adds to the context of a query. A Transformer's alignments use
// it.
#pragma once

#include "layers/attention/multi_head.h"

namespace softalign::layers {

// n_ts = |sum_k alpha_ts^k v_s^k W_O^k|, brought to sum 1 over s        Kobayashi et al. 2020, section 3
// A position with a large weight may add little, because a head without anything to attend to chooses positions with
// short values. |x|^2 = sum_kl alpha^k alpha^l G_s^kl with the products G_s^kl = v_s^k W_O^k (v_s^l W_O^l)', which need
// no step.
class NormBasedWeights {
 public:
  // values (S, B, d), as the attention projected them.
  NormBasedWeights(const MultiHead& attention, const Var& values);

  // weights (N*R, K, S), row r of each N of the sentence that sentence[r] names -> n (N*R, S), exactly 0 where all
  // heads' weights are. Without gradient.
  Var operator()(const Var& weights, const Ids& sentence) const;

 private:
  autograd::Array G_;  // (B, K, K, S)
};

}  // namespace softalign::layers
