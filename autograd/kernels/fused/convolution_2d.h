// Convolution over the cells of pictures, for the definition in layers/pictures/convolution_2d.h: a product for each
// place, whose patches are read where they lie (Dukhan 2019, "The indirect convolution algorithm"); for few pictures
// and backwards the patches of several places side by side (im2col), in memory that stays in the cache.
#pragma once

#include "autograd/grid.h"
#include "autograd/var.h"

namespace softalign::autograd::fused {

// y = col W + b        col (places*B, k k C), never whole in memory
// x (H*W, B, C), W (k*k*C, N), b (N)  ->  (places, B, N), places those of grid_of(grid, patch)
//   dW = col' dy       db = sum dy      dx: the rows of dy W' added to the cells that they were read from
// std::invalid_argument: sizes that do not fit.
Var convolution_2d(const Var& x, const Var& W, const Var& b, const Grid& grid, const Patch& patch);

}  // namespace softalign::autograd::fused
