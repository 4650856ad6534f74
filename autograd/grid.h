// Ops on pictures store B pictures in one Var (H*W, B, C). A picture has H rows and W columns of cells, and each cell
// has C numbers (channels). Row i*W + j of the Var has the numbers of cell (i, j). The cells are the first axis, as the
// steps are in a batch of sequences (docs/notation.md).
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

// Returns a grid with one cell for each position of a window that moves over the old grid. The old grid has H by W
// cells, and the window has size k, stride s and padding p. The new grid has (H + 2 p - k) / s + 1 rows and
// (W + 2 p - k) / s + 1 columns, rounded down. Throws std::invalid_argument if the size or the stride is 0, if the
// padding is not smaller than the window, or if the window does not fit on the padded grid.
Grid grid_of(const Grid& grid, const Patch& patch);

// Moves a window of k x k cells over a grid and visits its cells. `places` is the grid of the window's positions (see
// grid_of), which are numbered row by row. For each position from `begin` to end - 1 and each cell (u, v) of the
// window, the function calls visit(position, u*k + v, cell). `cell` is the index of the grid cell that lies under cell
// (u, v) of the window. If this cell of the window lies outside of the grid, `cell` is the number of cells,
// grid.cells().
template <class Visit>
void each_cell_of_patches(const Grid& grid, const Patch& patch, const Grid& places, std::size_t begin, std::size_t end,
                          const Visit& visit) {
  const std::size_t k = patch.size, p = patch.padding;
  for (std::size_t place = begin; place < end; ++place) {
    const std::size_t top = place / places.width * patch.stride, left = place % places.width * patch.stride;
    for (std::size_t u = 0; u < k; ++u)
      for (std::size_t v = 0; v < k; ++v) {
        const std::size_t i = top + u, j = left + v;  // row and column in the padded grid
        const bool inside = i >= p && j >= p && i - p < grid.height && j - p < grid.width;
        visit(place, u * k + v, inside ? (i - p) * grid.width + (j - p) : grid.cells());
      }
  }
}

}  // namespace softalign::autograd
