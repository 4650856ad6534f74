// Layer normalisation: Ba, Kiros & Hinton 2016, "Layer normalization".
#pragma once

#include "autograd/kernels.h"
#include "autograd/kernels/fused/layer_norm.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "layers/init.h"

namespace softalign::layers {

// mu = 1/d sum_i x_i      sigma^2 = 1/d sum_i (x_i - mu)^2                      Ba et al. 2016, eq. 3
// LN(x) = g (x - mu) / sqrt(sigma^2 + eps) + b                                 eq. 4, with an eps
// x (.., d)  g (d)  b (d)  ->  (.., d)
inline Var layer_norm(const Var& x, const Var& g, const Var& b, Real eps = Real(1e-5)) {
  return autograd::dispatch<autograd::FusedOp::layer_norm>(
      [&] { return autograd::fused::layer_norm(x, g, b, eps); },
      [&] {
        const std::size_t last = x.shape().rank() - 1;
        const Var centred = x - mean(x, {last}, autograd::Keep::yes);
        const Var variance = mean(square(centred), {last}, autograd::Keep::yes);
        return g * (centred * exp(log(variance + eps) * Real(-0.5))) + b;
      });
}

struct LayerNorm {
  Var g;  // (d)
  Var b;  // (d)
  LayerNorm(const Params& p, std::size_t d) : g(p.declare("g", {d}, ones())), b(p.declare("b", {d}, zeros())) {}
  Var operator()(const Var& x) const { return layer_norm(x, g, b); }
};

}  // namespace softalign::layers
