#include "layers/pictures/convolution_2d.h"

#include "autograd/ops/fused_convolution.h"
#include "autograd/ops/gather.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"

namespace softalign::layers {
namespace {

// cells_under returns, for each position of the window, the cell under row u and column v of the window. The result is
// grid.cells() if this cell is outside of the grid.
Ids cells_under(const Grid& grid, const Patch& patch, std::size_t u, std::size_t v) {
  const Grid places = grid_of(grid, patch);
  Ids cells;
  for (std::size_t place = 0; place < places.cells(); ++place) {
    const std::size_t i = place / places.width * patch.stride + u, j = place % places.width * patch.stride + v;
    const bool inside =
        i >= patch.padding && i - patch.padding < grid.height && j >= patch.padding && j - patch.padding < grid.width;
    const std::size_t cell = inside ? (i - patch.padding) * grid.width + j - patch.padding : grid.cells();
    cells.push_back(static_cast<autograd::Id>(cell));
  }
  return cells;
}

Var composed_convolution_2d(const Var& x, const Var& W, const Var& b, const Grid& grid, const Patch& patch) {
  const Var cells =
      autograd::concat({x, constant(autograd::zeros({1, x.dim(1), x.dim(2)}))}, 0);  // the last cell is outside
  std::vector<Var> side_by_side;
  for (std::size_t u = 0; u < patch.size; ++u)
    for (std::size_t v = 0; v < patch.size; ++v) side_by_side.push_back(gather(cells, cells_under(grid, patch, u, v)));
  return affine(autograd::concat(side_by_side, 2), W, b);
}

}  // namespace

Var convolution_2d(const Var& x, const Var& W, const Var& b, const Grid& grid, const Patch& patch) {
  return autograd::dispatch<autograd::FusedOp::convolution_2d>(
      [&] { return autograd::fused::convolution_2d(x, W, b, grid, patch); },
      [&] { return composed_convolution_2d(x, W, b, grid, patch); });
}

}  // namespace softalign::layers
