#include "autograd/ops/fused_convolution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "autograd/array.h"
#include "autograd/grid.h"
#include "autograd/kernels/gemm.h"
#include "autograd/kernels/internal/packed_gemm.h"
#include "autograd/kernels/products.h"
#include "autograd/ops/reduce.h"

namespace softalign::autograd::fused {
namespace {

constexpr std::size_t tile_numbers = 1 << 16;  // so that a tile of patches fits into the L2 cache of a core

// With at least this many pictures, each position has a matrix product of its own. A product with fewer rows has too
// few independent sums to keep the processor busy.
constexpr std::size_t enough_rows = 8;

// copy_rows copies B contiguous rows of C numbers to rows that are K apart. It copies in pieces whose size the compiler
// knows, because calling memmove takes longer than copying the few numbers of a cell.
void copy_rows(const Real* from, std::size_t B, std::size_t C, Real* to, std::size_t K) {
  constexpr std::size_t piece = 16;
  if (C == 3) {  // red, green, blue
    for (std::size_t b = 0; b < B; ++b) std::memcpy(to + b * K, from + b * 3, 3 * sizeof(Real));
    return;
  }
  for (std::size_t b = 0; b < B; ++b, from += C, to += K) {
    std::size_t c = 0;
    for (; c + piece <= C; c += piece) std::memcpy(to + c, from + c, piece * sizeof(Real));
    for (; c < C; ++c) to[c] = from[c];
  }
}

// Tiles handles the patches of a few positions at a time, for all pictures. Within a tile, position p of picture b has
// the row (p - begin) * B + b.
class Tiles {
 public:
  Tiles(const Grid& grid, const Patch& patch, std::size_t B, std::size_t C)
      : grid_(grid),
        patch_(patch),
        places_(grid_of(grid, patch)),
        B_(B),
        C_(C),
        K_(patch.size * patch.size * C),
        step_(std::max<std::size_t>(1, tile_numbers / std::max<std::size_t>(1, B * K_))) {}

  const Grid& places() const { return places_; }
  std::size_t K() const { return K_; }
  Array memory() const { return Array({std::min(step_, places_.cells()) * B_, K_}); }

  // each calls work(begin, end) for every tile. The tile has the positions begin .. end - 1.
  template <class Work>
  void each(const Work& work) const {
    for (std::size_t begin = 0; begin < places_.cells(); begin += step_)
      work(begin, std::min(begin + step_, places_.cells()));
  }

  // gather copies the patches of a tile into col.
  void gather(const Real* x, std::size_t begin, std::size_t end, Real* col) const {
    each_cell_of_patches(grid_, patch_, places_, begin, end, [&](std::size_t place, std::size_t tap, std::size_t cell) {
      Real* to = col + (place - begin) * B_ * K_ + tap * C_;
      const Real* from = x + cell * B_ * C_;
      if (cell != grid_.cells()) return copy_rows(from, B_, C_, to, K_);
      for (std::size_t b = 0; b < B_; ++b, to += K_) std::fill_n(to, C_, Real(0));
    });
  }

  // scatter adds col to the cells of the patches of a tile.
  void scatter(const Real* col, std::size_t begin, std::size_t end, Real* x) const {
    each_cell_of_patches(grid_, patch_, places_, begin, end, [&](std::size_t place, std::size_t tap, std::size_t cell) {
      if (cell == grid_.cells()) return;
      const Real* from = col + (place - begin) * B_ * K_ + tap * C_;
      Real* to = x + cell * B_ * C_;
      for (std::size_t b = 0; b < B_; ++b, from += K_, to += C_)
        for (std::size_t c = 0; c < C_; ++c) to[c] += from[c];
    });
  }

 private:
  Grid grid_;
  Patch patch_;
  Grid places_;
  std::size_t B_, C_, K_, step_;
};

// convolve_in_place computes y = patches W + b without copying the patches. The cells under one tap, for all pictures,
// are one piece of the rows of patches.
Array convolve_in_place(const Array& x, const Array& W, const Array& b, const Grid& grid, const Patch& patch) {
  const std::size_t B = x.dim(1), C = x.dim(2), N = b.size(), taps = patch.size * patch.size;
  const Array bias = repeated(b, {B, N}), outside = zeros({B, C});
  const Factor weights = factor(matrix(W), B);
  const Grid places = grid_of(grid, patch);
  Array y({places.cells(), B, N});
  std::vector<const Real*> cells(taps);
  for (std::size_t place = 0; place < places.cells(); ++place) {
    each_cell_of_patches(grid, patch, places, place, place + 1, [&](std::size_t, std::size_t tap, std::size_t cell) {
      cells[tap] = cell == grid.cells() ? outside.data() : x.data() + cell * B * C;
    });
    Real* const y_place = y.data() + place * B * N;
    std::copy_n(bias.data(), B * N, y_place);
    gemm(Pieces{cells.data(), taps, B, C}, weights, y_place, N, Into::add);
  }
  return y;
}

// convolve_gathered is for few pictures. It copies the patches of several positions, and multiplies them in one
// product.
Array convolve_gathered(const Array& x, const Array& W, const Array& b, const Tiles& tiles) {
  const std::size_t B = x.dim(1), N = b.size(), K = tiles.K();
  Array y = repeated(b, {tiles.places().cells(), B, N});
  Array col = tiles.memory();
  const Factor weights = factor(matrix(W), col.dim(0));
  tiles.each([&](std::size_t begin, std::size_t end) {
    tiles.gather(x.data(), begin, end, col.data());
    gemm({col.data(), (end - begin) * B, K, K}, weights, y.data() + begin * B * N, N, Into::add);
  });
  return y;
}

}  // namespace

Var convolution_2d(const Var& x, const Var& W, const Var& b, const Grid& grid, const Patch& patch) {
  const bool fits = x.shape().rank() == 3 && W.shape().rank() == 2 && x.dim(0) == grid.cells() &&
                    W.dim(0) == patch.size * patch.size * x.dim(2) && b.shape() == Shape{W.dim(1)};
  if (!fits)
    throw std::invalid_argument(fmt::format(
        "convolution_2d: x {}, W {} and b {} do not fit a grid of {} x {} and windows of {} x {}; (H W, B, C), "
        "(k k C, N), (N) expected",
        to_string(x.shape()), to_string(W.shape()), to_string(b.shape()), grid.height, grid.width, patch.size,
        patch.size));
  const std::size_t B = x.dim(1), N = W.dim(1);
  const Tiles tiles(grid, patch, B, x.dim(2));
  const std::size_t K = tiles.K();
  const Array y = B < enough_rows ? convolve_gathered(x.value(), W.value(), b.value(), tiles)
                                  : convolve_in_place(x.value(), W.value(), b.value(), grid, patch);
  return Var("convolution_2d", y, {x, W, b}, [x, W, b, tiles, B, K, N](const Array& dy) {
    add_repeated_grad(b, dy);
    if (!x.needs_grad() && !W.needs_grad()) return;
    Array patches = tiles.memory();
    const Factor back = factor(t(matrix(W.value())), patches.dim(0));
    Real* const dx = x.needs_grad() ? x.zeroed_grad().data() : nullptr;
    Real* const dW = W.needs_grad() ? W.zeroed_grad().data() : nullptr;
    tiles.each([&](std::size_t begin, std::size_t end) {
      const std::size_t rows = (end - begin) * B;
      const MatrixView up{dy.data() + begin * B * N, rows, N, N};
      if (dW) {
        tiles.gather(x.value().data(), begin, end, patches.data());
        gemm(t({patches.data(), rows, K, K}), up, dW, N, Into::add);
      }
      if (!dx) return;
      gemm(up, back, patches.data(), K, Into::overwrite);
      tiles.scatter(patches.data(), begin, end, dx);
    });
  });
}

}  // namespace softalign::autograd::fused
