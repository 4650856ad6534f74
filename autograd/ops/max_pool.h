// The largest number of each window of cells.
#pragma once

#include "autograd/grid.h"
#include "autograd/var.h"

namespace softalign::autograd {

// y_ij = max_uv x_{i s + u - p, j s + v - p}, channel by channel; dx = dy at the first maximum. Cells around the grid
// do not count. x (H*W, B, C) -> (places, B, C), places those of grid_of(grid, patch). std::invalid_argument: another
// grid.
Var max_pool(const Var& x, const Grid& grid, const Patch& patch);

}  // namespace softalign::autograd
