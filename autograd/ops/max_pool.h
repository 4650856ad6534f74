// This op finds the largest number in each window of cells.
#pragma once

#include "autograd/grid.h"
#include "autograd/var.h"

namespace softalign::autograd {

// Returns the largest number y_ij of each window of cells, in each channel. x (H*W, B, C) has B pictures of H rows and
// W columns, with C channels. The window has size k, stride s and padding p, and its cells are u, v = 0 .. k-1.
// y_ij = max_uv x_{i s + u - p, j s + v - p}
// Cells outside the grid do not count. In the backward pass, the first maximum of a window gets the gradient. The
// result is (places, B, C), where `places` is the number of cells of grid_of(grid, patch). Throws std::invalid_argument
// if x does not fit the grid.
Var max_pool(const Var& x, const Grid& grid, const Patch& patch);

}  // namespace softalign::autograd
