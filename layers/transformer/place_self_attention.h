// Self-attention of places: which step looks where is learnt, and is the same for all words.
#pragma once

#include <optional>
#include <variant>

#include "layers/attention/positional.h"
#include "layers/attention/scaled_dot_product.h"
#include "layers/dense/linear.h"
#include "layers/transformer/kv_cache.h"

namespace softalign::layers {

// O = softmax(P / sqrt(d_k) + M) V W_O + b_O of K heads, P or P = F_1 F_2'          layers/attention/positional.h
class PlaceSelfAttention {
 public:
  // places: L. rank: of the factors; without one P itself is learnt. std::invalid_argument: K does not divide d.
  PlaceSelfAttention(const Params& p, std::size_t d, std::size_t heads, std::size_t places,
                     std::optional<std::size_t> rank, const Scheme& init);

  // std::invalid_argument: more than L steps.
  AttentionOutput operator()(const Var& x, const Mask& mask, Wanted wanted) const;
  // Steps behind the L-th look as it does, at the last L of them.
  SelfLook step(const Var& x, std::size_t t, const KVCache& past) const;

 private:
  Var P() const;  // (K, L, L)

  std::size_t K_, d_k_;
  std::variant<PlaceTable, PlaceFactors> places_;
  Linear value_, output_;  // (d, d)
};

}  // namespace softalign::layers
