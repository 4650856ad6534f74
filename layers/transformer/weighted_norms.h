// What a look adds to its query's context from each place, as alignments are read off a Transformer.
#pragma once

#include "layers/transformer/multi_head.h"

namespace softalign::layers {

// n_ts = |sum_k alpha_ts^k v_s^k W_O^k|, brought to sum 1 over s        Kobayashi et al. 2020, section 3
// A place may be given much weight and little be taken from it: heads with nothing to say rest on short values.
// |x|^2 = sum_kl alpha^k alpha^l G_s^kl with the products G_s^kl = v_s^k W_O^k (v_s^l W_O^l)', which need no step.
class WeightedNorms {
 public:
  // values (S, B, d), as the attention projected them.
  WeightedNorms(const MultiHead& attention, const Var& values);

  // weights (N*R, K, S), row r of each N of the sentence that sentence[r] names -> n (N*R, S), exactly 0 where all
  // heads' weights are. Without gradient.
  Var operator()(const Var& weights, const Ids& sentence) const;

 private:
  autograd::Array G_;  // (B, K, K, S)
};

}  // namespace softalign::layers
