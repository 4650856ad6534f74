// Dropout (Srivastava et al. 2014) sets random numbers of a layer to 0 during training. It scales the other numbers up,
// so that the layer needs no change at test time.
#pragma once

#include "autograd/random.h"
#include "autograd/var.h"

namespace softalign::autograd {

// Returns a mask: an array in which each number is 0 with probability p, and otherwise 1 / (1 - p). A layer multiplies
// its numbers by this mask. In variational dropout (Gal & Ghahramani 2016), a layer multiplies all steps of a sequence
// by the same mask. The axis of the steps in `shape` then has size 1. Throws std::invalid_argument unless 0 <= p < 1.
Array dropout_mask(const Shape& shape, double p, Random& random);

// Multiplies x by a new dropout_mask m. If p is 0, the result is x itself. dx and dy are the gradients of the loss with
// respect to x and y.
// y = x m              dx = dy m
Var dropout(Var x, double p, Random& random);

}  // namespace softalign::autograd
