// This op finds the largest number in each window of cells.
#pragma once

#include "autograd/grid.h"
#include "autograd/var.h"

namespace softalign::autograd {

// y_ij = max_uv x_{i s + u - p, j s + v - p} in each channel. dx = dy at the first maximum. Cells around the grid do
// not count. x is (H*W, B, C), and the result is (places, B, C), with the places of grid_of(grid, patch). Throws
// std::invalid_argument if x does not fit the grid.
Var max_pool(const Var& x, const Grid& grid, const Patch& patch);

}  // namespace softalign::autograd
