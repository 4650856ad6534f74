// Dropout: Srivastava et al. 2014, scaled while training, so that nothing changes at test time.
#pragma once

#include "autograd/random.h"
#include "autograd/var.h"

namespace softalign::autograd {

// 0 with probability p, otherwise 1 / (1 - p). Drawn once per sequence and multiplied at every step, it is variational
// dropout (Gal & Ghahramani 2016); an axis of 1 in the shape broadcasts one draw. std::invalid_argument unless 0 <= p
// < 1.
Array dropout_mask(const Shape& shape, double p, Random& random);

// y = x m              dx = dy m         m fresh from dropout_mask; x itself if p is 0
Var dropout(Var x, double p, Random& random);

}  // namespace softalign::autograd
