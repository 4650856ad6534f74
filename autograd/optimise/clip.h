// This file clips gradients by their global norm. Pascanu et al. 2013, "On the difficulty of training recurrent neural
// networks", algorithm 1.
#pragma once

#include "autograd/params.h"

namespace softalign::autograd {

// Returns sqrt(sum g^2) over all parameters. It sums in double, and in an order that does not depend on the number of
// threads.
double global_norm(const Params& params);

// Multiplies all gradients by max_norm / norm if the norm is larger than max_norm. Returns the norm before clipping. A
// norm that is not finite changes nothing, so that the caller can stop. With a max_norm of 0, it only measures.
double clip_by_global_norm(const Params& params, double max_norm);

}  // namespace softalign::autograd
