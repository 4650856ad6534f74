// Dropout (Srivastava et al. 2014). Activations are scaled during training, so nothing changes at test time.
#pragma once

#include "autograd/random.h"
#include "autograd/var.h"

namespace softalign::autograd {

// Each number is 0 with probability p, otherwise 1 / (1 - p). If you sample it once per sequence and multiply it at
// every step, it is variational dropout (Gal & Ghahramani 2016). An axis of size 1 in the shape broadcasts one sample.
// std::invalid_argument unless 0 <= p < 1.
Array dropout_mask(const Shape& shape, double p, Random& random);

// y = x m              dx = dy m         m fresh from dropout_mask; x itself if p is 0
Var dropout(Var x, double p, Random& random);

}  // namespace softalign::autograd
