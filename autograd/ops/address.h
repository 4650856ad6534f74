// A head is a part of a network that reads or writes an external memory. An Address has the parameters with which a
// head chooses the positions that it reads or writes.
#pragma once

#include "autograd/var.h"

namespace softalign::autograd {

// An Address has parameters for R heads, one per row of a batch. Each position of the memory has W numbers. The
// parameters are a key k (R, W), its strength beta (R, 1), a gate g (R, 1), the weights s (R, 2K + 1) of shifts by -K
// .. K positions, and a sharpness gamma (R, 1).
struct Address {
  Var k, beta, g, s, gamma;
};

// The ops add least_square to a number before they take its square root, so that a row of zeros has the cosine 0. They
// add least_weight to a weight before they take its logarithm, so that the logarithm of 0 is finite.
inline constexpr Real least_square = Real(1e-12), least_weight = Real(1e-30);

}  // namespace softalign::autograd
