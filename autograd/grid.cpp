#include "autograd/grid.h"

#include <fmt/format.h>

#include <stdexcept>

namespace softalign::autograd {

Grid grid_of(const Grid& grid, const Patch& patch) {
  const auto places = [&](std::size_t n) {
    const std::size_t padded = n + 2 * patch.padding;
    if (n == 0 || patch.size == 0 || patch.stride == 0 || patch.padding >= patch.size || padded < patch.size)
      throw std::invalid_argument(
          fmt::format("a window of {} x {} with stride {} and padding {} has no place on a grid of {} x {}", patch.size,
                      patch.size, patch.stride, patch.padding, grid.height, grid.width));
    return (padded - patch.size) / patch.stride + 1;
  };
  return {places(grid.height), places(grid.width)};
}

}  // namespace softalign::autograd
