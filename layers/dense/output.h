// Output: what the decoder says, against the words it should have said.
#pragma once

#include "autograd/kernels.h"
#include "autograd/kernels/fused/output_cross_entropy.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/matmul.h"
#include "layers/types.h"

namespace softalign::layers {

// -log softmax(x W + b)[y_n], smoothed by eps (autograd/ops/loss.h); 0 for words that are `padding`.
// x (.., E)  W (E, V)  b (V)  ->  one for each of the words (N), in nats. Fused: the logits of a whole batch are its
// largest array, and never exist as a whole (autograd/kernels/fused/output_cross_entropy.h).
inline Var output_cross_entropy(const Var& x, const Var& W, const Var& b, const Ids& words, Real eps = 0,
                                Id padding = 0) {
  return autograd::dispatch<autograd::FusedOp::output_cross_entropy>(
      [&] { return autograd::fused::output_cross_entropy(x, W, b, words, eps, padding); },
      [&] {
        return cross_entropy(affine(x, W, b), words, {eps, padding});
      });
}

}  // namespace softalign::layers
