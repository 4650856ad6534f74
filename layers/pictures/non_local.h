// NonLocal is self-attention over the cells of a picture. A batch of pictures is (N, B, C): N cells of B pictures with
// C channels.
#pragma once

#include <cmath>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "layers/attention/scaled_dot_product.h"
#include "layers/init.h"

namespace softalign::layers {

// The query of cell j is g(x_j), the key of cell i is f(x_i), and the value is h(x_i). beta_ji is the attention weight.
// The layer adds the attention output o_j to x_j, scaled by a learned number gamma. Each W is a learned matrix. In the
// paper, gamma is initialised to 0. At first, the layer then changes nothing, so the convolutions learn before the
// attention does.
// beta_ji = softmax_i(f(x_i)' g(x_j))      f(x) = W_f x, g(x) = W_g x      Zhang et al. 2019, eq. 1
// o_j = W_v sum_i beta_ji h(x_i)           h(x) = W_h x                    eq. 2
// y_j = gamma o_j + x_j                                                    eq. 3; Wang et al. 2018, eq. 6
struct NonLocal {
  Var W_f, W_g;  // (C, d) for keys and for queries; in the paper, d is C/8
  Var W_h;       // (C, C/2)
  Var W_v;       // (C/2, C)
  Var gamma;     // (1)

  NonLocal(const Params& p, std::size_t C, std::size_t d, const InitialiserConfig& init,
           const Initialiser& first_gamma = zeros())
      : W_f(p.declare("W_f", {C, d}, init.attention)),
        W_g(p.declare("W_g", {C, d}, init.attention)),
        W_h(p.declare("W_h", {C, (C + 1) / 2}, init.input(1))),
        W_v(p.declare("W_v", {(C + 1) / 2, C}, init.input(1))),
        gamma(p.declare("gamma", {1}, first_gamma)) {}

  struct Output {
    Var y;        // (N, B, C)
    Var weights;  // (N*B, 1, N) row j*B + b
  };
  // Computes the layer for x (N, B, C). attention() divides the scores by sqrt(d), but this layer must not, so the code
  // multiplies the queries by sqrt(d) first.
  Output operator()(const Var& x) const {
    const Var asked = matmul(x, W_g) * static_cast<Real>(std::sqrt(static_cast<double>(W_g.dim(1))));
    const AttentionOutput o = attention(asked, matmul(x, W_f), matmul(x, W_h), 1, {});
    return {gamma * matmul(o.context, W_v) + x, o.weights};
  }
};

}  // namespace softalign::layers
