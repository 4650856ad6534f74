// Mask: which keys a query may attend to, and to which sentence they belong. layers/attention/scaled_dot_product.cpp
// and autograd/kernels/fused/attention.cpp apply it. layers/transformer/block.cpp uses the causal mask.
#pragma once

#include <cstddef>
#include <vector>

#include "autograd/array.h"

namespace softalign::autograd {

struct Mask {
  std::vector<std::size_t> lengths = {};  // (B) keys of each sentence, the others are padding; empty: all S
  bool causal = false;                    // query t sees the keys 0 .. t only, or 0 .. t + S - T of more keys
  Ids sentence = {};                      // (R) whose keys each row of queries looks at; empty: row r has sentence r
  bool rows_first = false;                // keys and values are (B, S, ..), as a cache has them, not (S, B, ..)
};

}  // namespace softalign::autograd
