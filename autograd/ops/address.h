// An Address has the parameters with which a head chooses the positions of a memory that it reads or writes.
#pragma once

#include "autograd/var.h"

namespace softalign::autograd {

// For R rows and a memory whose positions have W numbers, these are a key k (R, W), its strength beta (R, 1), a gate g
// (R, 1), weights s (R, 2K + 1) of the shifts -K .. K, and a sharpness gamma (R, 1).
struct Address {
  Var k, beta, g, s, gamma;
};

// The ops add the first number under a square root, so that a row of zeros has cosine 0. They add the second to a
// weight before they take its logarithm.
inline constexpr Real least_square = Real(1e-12), least_weight = Real(1e-30);

}  // namespace softalign::autograd
