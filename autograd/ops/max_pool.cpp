#include "autograd/ops/max_pool.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "autograd/grid.h"

namespace softalign::autograd {

Var max_pool(const Var& x, const Grid& grid, const Patch& patch) {
  if (x.shape().rank() != 3 || x.dim(0) != grid.cells())
    throw std::invalid_argument(fmt::format("max_pool: x {} is no grid of {} x {}; (H W, B, C) expected",
                                            to_string(x.shape()), grid.height, grid.width));
  const Grid places = grid_of(grid, patch);
  const std::size_t row = x.dim(1) * x.dim(2);
  Array y({places.cells(), x.dim(1), x.dim(2)});
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> first(y.size(), none);  // where in x each maximum lies
  const Real* from = x.value().data();
  Real* const to = y.data();
  each_cell_of_patches(grid, patch, places, 0, places.cells(), [&](std::size_t place, std::size_t, std::size_t cell) {
    if (cell == grid.cells()) return;
    for (std::size_t n = 0; n < row; ++n) {
      const Real v = from[cell * row + n];
      Real& largest = to[place * row + n];
      std::size_t& at = first[place * row + n];
      if (at != none && (v <= largest || std::isnan(largest))) continue;
      largest = v;
      at = cell * row + n;
    }
  });
  return Var("max_pool", y, {x}, [x, first = std::move(first)](const Array& dy) {
    Array& dx = x.zeroed_grad();
    for (std::size_t i = 0; i < first.size(); ++i) dx[first[i]] += dy[i];
  });
}

}  // namespace softalign::autograd
