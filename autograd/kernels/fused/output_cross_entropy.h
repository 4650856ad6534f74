// Output layer, softmax and cross-entropy as one op, for the definition in layers/dense/output.h: the logits of a whole
// batch would be its largest array, so some rows' come at a time, and their gradient is written over them.
#pragma once

#include "autograd/var.h"

namespace softalign::autograd::fused {

// l = x W + b (N, V)      loss_n = (1 - eps) (-log p(y_n)) + eps mean_v (-log p(v)),   p = softmax(l)
//   dl = dloss (p - (1 - eps) [v = y] - eps / V)
// x (.., E)  W (E, V)  b (V)  targets (N), one a row of x  ->  (N) in nats. Rows whose target is `padding` cost
// nothing: their loss and their gradient are 0, and they take no part in the product. eps: label smoothing of Szegedy
// et al. 2016.
Var output_cross_entropy(const Var& x, const Var& W, const Var& b, const Ids& targets, Real eps, Id padding);

}  // namespace softalign::autograd::fused
