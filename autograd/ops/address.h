// Address: the parameters with which a head chooses a position of a memory to read or write.
#pragma once

#include "autograd/var.h"

namespace softalign::autograd {

// The parameters of a head for R rows: a key k (R, W), its strength beta (R, 1), a gate g (R, 1), weights s (R, 2K + 1)
// of the shifts -K .. K, and a sharpness gamma (R, 1).
struct Address {
  Var k, beta, g, s, gamma;
};

// A small number that is added under a square root, so that a row of zeros has cosine 0, and to a weight before its
// logarithm.
inline constexpr Real least_square = Real(1e-12), least_weight = Real(1e-30);

}  // namespace softalign::autograd
