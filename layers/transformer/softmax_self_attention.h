// Self-attention by dot products: Vaswani et al. 2017, section 3.2.3.
#pragma once

#include "layers/transformer/kv_cache.h"
#include "layers/transformer/multi_head.h"

namespace layers {

// MultiHead(x, x), queries and keys turned by their places if they are relative.
class SoftmaxSelfAttention {
 public:
  SoftmaxSelfAttention(const Params& p, std::size_t d, std::size_t heads, bool relative, const Scheme& init)
      : attention_(p, d, heads, init), relative_(relative) {}

  AttentionOutput operator()(const Var& x, const Mask& mask, Wanted wanted) const;
  SelfLook step(const Var& x, std::size_t t, const KVCache& past) const;

 private:
  struct Projected {
    Var q;
    MultiHead::Keys y;
  };
  Projected projected(const Var& x, std::size_t first) const;  // whose first step is at position `first`

  MultiHead attention_;
  bool relative_;
};

}  // namespace layers
