// This file has layer normalisation (Ba, Kiros & Hinton 2016, "Layer normalization"), and the residual connection
// around a sub-layer. Layer normalisation comes before the sub-layer (pre-norm) or after it (post-norm).
#pragma once

#include "autograd/ops/elementwise.h"
#include "autograd/ops/fused.h"
#include "autograd/ops/reduce.h"
#include "layers/dense/dropout.h"
#include "layers/init.h"
#include "layers/kinds.h"

namespace softalign::layers {

// Layer normalisation (LN) shifts and scales each row x of d numbers from the mean mu and the variance sigma^2 to mean
// 0 and variance 1. It then multiplies by a learned gain g (d) and adds a learned bias b (d). A small eps avoids
// division by 0.
// mu = 1/d sum_i x_i      sigma^2 = 1/d sum_i (x_i - mu)^2                      Ba et al. 2016, eq. 3
// LN(x) = g (x - mu) / sqrt(sigma^2 + eps) + b                                 eq. 4, with an eps
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

// Residual is the residual connection around a sub-layer `sub`, with a layer norm LN. With pre-norm, x itself passes
// through all layers without normalisation. A stack of such layers therefore ends with one more LN.
//   post   x <- LN(x + dropout(sub(x)))                 Vaswani et al. 2017, section 3.1
//   pre    x <- x + dropout(sub(LN(x)))                 Xiong et al. 2020, table 1
class Residual {
 public:
  Residual(const Params& p, std::size_t d, Norm place, const Dropout& dropout)
      : norm_(p / "norm", d), place_(place), dropout_(dropout) {}

  // sub is a function from a Var to a Var of the same shape. Without `random`, at test time, nothing is dropped.
  template <class Sub>
  Var operator()(const Var& x, const Sub& sub, Random* random) const {
    if (place_ == Norm::post) return norm_(x + dropout_(sub(x), random));
    return x + dropout_(sub(norm_(x)), random);
  }

 private:
  LayerNorm norm_;
  Norm place_;
  Dropout dropout_;
};

}  // namespace softalign::layers
