// This file clips gradients: it scales them down if their norm is too large. Pascanu et al. 2013, "On the difficulty of
// training recurrent neural networks", algorithm 1, describe this method.
#pragma once

#include "autograd/params.h"

namespace softalign::autograd {

// Returns the norm of all gradients together, sqrt(sum g^2). The function sums in double precision, and in an order
// that does not depend on the number of threads.
double global_norm(const Params& params);

// Multiplies all gradients by max_norm / norm if their norm is larger than max_norm. Returns the norm before clipping.
// If the norm is not finite, the gradients stay unchanged, so that the caller can stop. If max_norm is 0, the function
// only measures the norm.
double clip_by_global_norm(const Params& params, double max_norm);

}  // namespace softalign::autograd
