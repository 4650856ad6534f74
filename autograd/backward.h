// Reverse mode: from a loss back to every leaf.
#pragma once

#include "autograd/var.h"

namespace softalign::autograd {

// Adds d loss / d x to the gradient of every leaf x that the scalar `loss` depends on, freeing the graph as it goes, so
// it can be called once per graph. Iterative: a long sentence does not recurse. std::invalid_argument if not scalar.
void backward(const Var& loss);
// The same from an output y of any shape whose own gradient dy is known.
void backward(const Var& y, const Array& dy);

}  // namespace softalign::autograd
