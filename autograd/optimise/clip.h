// Clipping by global norm: Pascanu et al. 2013, "On the difficulty of training recurrent neural networks", algorithm 1.
#pragma once

#include "autograd/params.h"

namespace softalign::autograd {

// sqrt(sum g^2) over all parameters, summed in double and in an order that does not depend on the number of threads.
double global_norm(const Params& params);

// g *= max_norm / norm where the norm is larger. Returns the norm before; one that is not finite changes nothing, so
// that the caller can stop. max_norm 0 only measures.
double clip_by_global_norm(const Params& params, double max_norm);

}  // namespace softalign::autograd
