// Random orthogonal matrices, for the recurrent weights.
#pragma once

#include "autograd/array.h"
#include "autograd/random.h"

namespace softalign::autograd {

// Q (n, n), uniform over the orthogonal matrices: the QR factor of a normal matrix, with the signs that make it
// unique (Mezzadri 2007, "How to generate random matrices from the classical compact groups").
Array random_orthogonal(std::size_t n, Random& random);

}  // namespace softalign::autograd
