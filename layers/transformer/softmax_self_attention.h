// Self-attention by dot products: Vaswani et al. 2017, section 3.2.3.
#pragma once

#include "layers/transformer/kv_cache.h"
#include "layers/transformer/multi_head.h"

namespace softalign::layers {

// MultiHead(x, x), with rotary positions of queries and keys if asked for.
class SoftmaxSelfAttention {
 public:
  SoftmaxSelfAttention(const Params& p, std::size_t d, std::size_t heads, bool rotary, const Scheme& init)
      : attention_(p, d, heads, init), rotary_(rotary) {}

  AttentionOutput operator()(const Var& x, const Mask& mask, Wanted wanted) const;
  SelfLook step(const Var& x, std::size_t t, const KVCache& past) const;

 private:
  struct Projected {
    Var q;
    MultiHead::Keys y;
  };
  Projected projected(const Var& x, std::size_t first) const;  // whose first step is at position `first`

  MultiHead attention_;
  bool rotary_;
};

}  // namespace softalign::layers
