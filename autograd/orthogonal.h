// This file samples random orthogonal matrices. Recurrent layers use them as initial weights.
#pragma once

#include "autograd/array.h"
#include "autograd/random.h"

namespace softalign::autograd {

// Returns a random orthogonal matrix Q (n, n); all orthogonal matrices are equally likely. The function computes the QR
// factorisation of a matrix of normal numbers. It chooses the signs of Q so that there is only one factorisation
// (Mezzadri 2007, "How to generate random matrices from the classical compact groups").
Array random_orthogonal(std::size_t n, Random& random);

}  // namespace softalign::autograd
