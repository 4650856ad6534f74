// Ops on pictures store a picture as a Var (H*W, B, C). Row i*W + j has the numbers of cell (i, j). The cells are the
// first axis, as the steps of a sequence are (docs/notation.md).
#pragma once

#include <algorithm>
#include <cstddef>

namespace softalign::autograd {

struct Grid {
  std::size_t height = 0, width = 0;  // H, W
  std::size_t cells() const { return height * width; }
  bool operator==(const Grid&) const = default;
};

// A Patch is a square window of cells that moves over a grid.
struct Patch {
  std::size_t size = 3, stride = 1, padding = 0;  // k, s, p: cells of zeros around the grid
};

// Returns a grid with one cell per position of the window: (H + 2 p - k) / s + 1 by (W + 2 p - k) / s + 1, rounded
// down. Throws std::invalid_argument if the size or the stride is 0, if the padding is not smaller than the window, or
// if there is no position at all.
Grid grid_of(const Grid& grid, const Patch& patch);

// Moves a window over a grid, for ops that read its cells. It calls visit(place, u*k + v, cell) for the positions from
// `begin` to before `end`, and for each cell (u, v) of the window, row by row. Outside of the grid, cell ==
// grid.cells().
template <class Visit>
void each_cell_of_patches(const Grid& grid, const Patch& patch, const Grid& places, std::size_t begin, std::size_t end,
                          const Visit& visit) {
  const std::size_t k = patch.size, p = patch.padding;
  for (std::size_t place = begin; place < end; ++place) {
    const std::size_t top = place / places.width * patch.stride, left = place % places.width * patch.stride;
    for (std::size_t u = 0; u < k; ++u)
      for (std::size_t v = 0; v < k; ++v) {
        const std::size_t i = top + u, j = left + v;  // of the padded grid
        const bool inside = i >= p && j >= p && i - p < grid.height && j - p < grid.width;
        visit(place, u * k + v, inside ? (i - p) * grid.width + (j - p) : grid.cells());
      }
  }
}

}  // namespace softalign::autograd
