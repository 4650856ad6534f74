// Reverse mode: from a loss back to every leaf.
#pragma once

#include "autograd/var.h"

namespace autograd::inline SOFTALIGN_PRECISION {

// Fills the gradients of all leaves that the scalar `loss` depends on, freeing the graph as it goes, so it can be
// called once per graph. Iterative: a long sentence does not recurse. std::invalid_argument if not scalar.
void backward(const Var& loss);

}  // namespace autograd::inline SOFTALIGN_PRECISION
