// Pictures as cells: a Var (H*W, B, C), row i*W + j the numbers of cell (i, j), as a sequence has its steps first.
#pragma once

#include <cstddef>

namespace softalign::autograd {

struct Grid {
  std::size_t height = 0, width = 0;  // H, W
  std::size_t cells() const { return height * width; }
  bool operator==(const Grid&) const = default;
};

// A square window of cells that moves over a grid.
struct Patch {
  std::size_t size = 3, stride = 1, padding = 0;  // k, s, p: cells of zeros around the grid
};

// One cell for each place of the window: (H + 2 p - k) / s + 1 by (W + 2 p - k) / s + 1, rounded down.
// std::invalid_argument: a size or stride of 0, padding of a window or more, no place at all.
Grid grid_of(const Grid& grid, const Patch& patch);

}  // namespace softalign::autograd
