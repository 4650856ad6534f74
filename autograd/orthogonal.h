// This file samples random orthogonal matrices. Recurrent layers use them as initial weights.
#pragma once

#include "autograd/array.h"
#include "autograd/random.h"

namespace softalign::autograd {

// Returns a matrix Q (n, n) that is sampled uniformly from the orthogonal matrices. Q is the QR factor of a matrix of
// normal numbers. Its signs are chosen so that the factor is unique (Mezzadri 2007, "How to generate random matrices
// from the classical compact groups").
Array random_orthogonal(std::size_t n, Random& random);

}  // namespace softalign::autograd
