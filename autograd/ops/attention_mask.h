// A Mask says which keys a query may attend to, and to which sentence the keys belong. Fast attention
// (autograd/kernels/fused/attention.cpp) and its definition (layers/attention/scaled_dot_product.cpp) apply it.
// layers/transformer/block.cpp sets the causal mask. docs/notation.md explains the notation.
#pragma once

#include <cstddef>
#include <vector>

#include "autograd/array.h"

namespace softalign::autograd {

struct Mask {
  std::vector<std::size_t> lengths = {};  // (B) number of keys of each sentence, the others are padding; empty: S
  bool causal = false;                    // query t sees only keys 0 .. t (for S keys and T queries: 0 .. t + S - T)
  Ids sentence = {};                      // (R) the sentence that each row attends to; empty: row r attends to r
  bool rows_first = false;                // keys and values are (B, S, ..), as a cache has them, not (S, B, ..)
};

}  // namespace softalign::autograd
