#include "autograd/linalg/internal/one_row.h"

#include <algorithm>

#include "autograd/linalg/blas.h"
#include "autograd/linalg/internal/simd.h"
#include "autograd/storage/parallel_for.h"

namespace softalign::autograd {

namespace {

constexpr std::size_t together = 8;                      // rows of b that are read at once
constexpr std::size_t longest_piece = 512 * lane_count;  // of c, which stays in the first cache

// c += a_p b_p for `rows` rows of b from row p on, n columns of them.
template <std::size_t rows>
void add_rows(const Real* a, std::size_t a_stride, const Real* b, std::size_t b_stride, std::size_t n, Real* c) {
  Lanes a_p[rows];
  for (std::size_t r = 0; r < rows; ++r) a_p[r] = Lanes(a[r * a_stride]);
  for_lanes(n, [&](std::size_t j, std::size_t width) {
    Lanes sum = load(c + j, width);
    for (std::size_t r = 0; r < rows; ++r) sum = xsimd::fma(a_p[r], load(b + r * b_stride + j, width), sum);
    store(c + j, sum, width);
  });
}

}  // namespace

void multiply_one_row(const Matrix& a, const Matrix& b, Real* c, Into into) {
  const ProductSizes z = product_sizes(a, b);
  const std::size_t a_stride = a.transposed ? a.stride : 1;
  const auto team = static_cast<std::size_t>(threads());
  const std::size_t pieces = team * ((z.n + team * longest_piece - 1) / (team * longest_piece));
  const std::size_t vectors = (z.n + lane_count - 1) / lane_count;
  const auto begin = [&](std::size_t piece) { return std::min(z.n, vectors * piece / pieces * lane_count); };
  parallel_for(0, pieces, team > 1, [&](std::size_t piece) {
    const std::size_t first = begin(piece), n = begin(piece + 1) - first;
    if (into == Into::overwrite) std::fill_n(c + first, n, Real(0));
    std::size_t p = 0;
    for (; p + together <= z.k; p += together)
      add_rows<together>(a.data + p * a_stride, a_stride, b.data + p * b.stride + first, b.stride, n, c + first);
    for (; p < z.k; ++p)
      add_rows<1>(a.data + p * a_stride, a_stride, b.data + p * b.stride + first, b.stride, n, c + first);
  });
}

}  // namespace softalign::autograd
