// This file has multi-head attention with its learned projections. docs/notation.md explains the notation.
#pragma once

#include "layers/attention/scaled_dot_product.h"
#include "layers/dense/linear.h"

namespace softalign::layers {

// Returns the size d / K of a head, for K heads. Throws std::invalid_argument if K does not divide d.
std::size_t size_of_head(std::size_t d, std::size_t heads);

// Multi-head attention runs K attentions at once and projects their results. x has the vectors from which queries are
// computed, and y has the vectors to attend to. The matrices W and the biases b are learned.
// MultiHead(x, y) = [head_1; ..; head_K] W_O + b_O        Vaswani et al. 2017, section 3.2.2
// head_k = Attention(x W_Q^k + b_Q^k, y W_K^k, y W_V^k + b_V^k)
// The code stores the matrices of all heads side by side: head k has the columns k d/K .. (k+1) d/K - 1 of each
// projection. Keys have no bias, because a bias would add the same number to all scores of a query, and softmax ignores
// such a number.
struct MultiHead {
  std::size_t K;
  Linear query;   // (d, d)
  Var W_K;        // (d, d)
  Linear value;   // (d, d)
  Linear output;  // (d, d)

  // Throws std::invalid_argument if K does not divide d.
  MultiHead(const Params& p, std::size_t d, std::size_t heads, const InitialiserConfig& init);

  struct Keys {
    Var keys, values;  // each has the shape of its input
  };
  Keys keys(const Var& y) const { return {matmul(y, W_K), value(y)}; }

  // Computes multi-head attention in K heads. q (T, R, d) has the projected queries of T steps in R rows. The mask says
  // to which of the S keys a query may attend. Returns the context (T, R, d) and the weights (T*R, K, S). A `hook` may
  // change the weights before the context is computed.
  AttentionOutput operator()(const Var& q, const Keys& y, const Mask& mask, ReturnWeights return_weights,
                             const AttentionHook& hook = {}) const;
};

}  // namespace softalign::layers
