// Dropout (Srivastava et al. 2014) sets random activations to 0. It scales the others during training, so nothing
// changes at test time.
#pragma once

#include "autograd/random.h"
#include "autograd/var.h"

namespace softalign::autograd {

// Returns a mask. Each number is 0 with probability p, otherwise 1 / (1 - p). If you sample one mask per sequence and
// multiply by it at every step, this is variational dropout (Gal & Ghahramani 2016). An axis of size 1 in the shape
// broadcasts one sample. Throws std::invalid_argument unless 0 <= p < 1.
Array dropout_mask(const Shape& shape, double p, Random& random);

// y = x m              dx = dy m         m is a new dropout_mask. If p is 0, the result is x itself.
Var dropout(Var x, double p, Random& random);

}  // namespace softalign::autograd
