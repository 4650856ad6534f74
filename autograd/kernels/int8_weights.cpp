#include "autograd/kernels/int8_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "autograd/hooks.h"
#include "autograd/internal/simd.h"
#include "autograd/kernels/internal/shared_product.h"
#include "autograd/threads/parallel_for.h"

#if defined(__AVX512VNNI__) || defined(__AVX2__)
#include <immintrin.h>
#endif

namespace softalign::autograd {

// Int8Sums is a vector of sums, one per column n. add_products(sums, inputs, weights) adds sum_k u_k q_kn over
// int8_group consecutive k. `inputs` has the numbers u_k, each increased by input_offset. `weights` has the numbers
// q_kn, column after column.
#if defined(__AVX512VNNI__)

using Int8Sums = __m512i;
inline constexpr std::size_t int8_columns = 16, int8_group = 4, int8_rows = 6;  // 6 rows of sums fit 32 registers
inline constexpr int input_offset = 128;                                        // left factors of dpbusd have no sign
inline std::uint32_t int8_inputs(const std::uint8_t* u) {
  return u[0] | std::uint32_t{u[1]} << 8 | std::uint32_t{u[2]} << 16 | std::uint32_t{u[3]} << 24;
}
inline Int8Sums load_sums(const std::int32_t* p) { return _mm512_loadu_si512(p); }
inline void store_sums(std::int32_t* p, Int8Sums sums) { _mm512_storeu_si512(p, sums); }
inline Int8Sums add_products(Int8Sums sums, std::uint32_t inputs, const std::int8_t* weights) {
  return _mm512_dpbusd_epi32(sums, _mm512_set1_epi32(static_cast<int>(inputs)), _mm512_loadu_si512(weights));
}

#elif defined(__AVX2__)  // the product of bytes saturates here; the product of 16-bit numbers does not

using Int8Sums = __m256i;
inline constexpr std::size_t int8_columns = 8, int8_group = 2, int8_rows = 2;
inline constexpr int input_offset = 0;
inline std::uint32_t int8_inputs(const std::uint8_t* u) {
  return static_cast<std::uint16_t>(u[0] - 128) | static_cast<std::uint32_t>(u[1] - 128) << 16;
}
inline Int8Sums load_sums(const std::int32_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
inline void store_sums(std::int32_t* p, Int8Sums sums) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), sums); }
inline Int8Sums add_products(Int8Sums sums, std::uint32_t inputs, const std::int8_t* weights) {
  const __m256i q = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(weights)));
  return _mm256_add_epi32(sums, _mm256_madd_epi16(_mm256_set1_epi32(static_cast<int>(inputs)), q));
}

#else

struct Int8Sums {
  std::int32_t column[8];
};
inline constexpr std::size_t int8_columns = 8, int8_group = 2, int8_rows = 2;
inline constexpr int input_offset = 0;
inline std::uint32_t int8_inputs(const std::uint8_t* u) {
  return static_cast<std::uint16_t>(u[0] - 128) | static_cast<std::uint32_t>(u[1] - 128) << 16;
}
inline Int8Sums load_sums(const std::int32_t* p) {
  Int8Sums sums;
  for (std::size_t n = 0; n < int8_columns; ++n) sums.column[n] = p[n];
  return sums;
}
inline void store_sums(std::int32_t* p, const Int8Sums& sums) {
  for (std::size_t n = 0; n < int8_columns; ++n) p[n] = sums.column[n];
}
inline Int8Sums add_products(Int8Sums sums, std::uint32_t inputs, const std::int8_t* weights) {
  const int first = static_cast<std::int16_t>(inputs), second = static_cast<std::int16_t>(inputs >> 16);
  for (std::size_t n = 0; n < int8_columns; ++n) sums.column[n] += first * weights[2 * n] + second * weights[2 * n + 1];
  return sums;
}

#endif

namespace {

constexpr Real largest_integer = 127;
constexpr std::size_t vectors = 4, width = vectors * int8_columns;   // of a panel; the sums of a tile stay in registers
constexpr std::size_t weights_worth_threads = std::size_t{1} << 17;  // with this many weights, threads pay

std::size_t groups_of(std::size_t K) { return (K + int8_group - 1) / int8_group; }
std::size_t panels_of(std::size_t N) { return (N + width - 1) / width; }

Real element(const MatrixView& b, std::size_t k, std::size_t n) {
  return b.transposed ? b.data[n * b.stride + k] : b.data[k * b.stride + n];
}

// inverse_of returns 1 / s. If s is NaN, 0 or almost 0, inverse_of returns 0, and all integers become 0.
Real inverse_of(Real s) { return s >= std::numeric_limits<Real>::min() ? 1 / s : 0; }

// Inputs has the rows of x as integers u + input_offset. Each word has int8_group of these integers.
struct Inputs {
  std::size_t groups;                // words per row
  std::vector<std::uint32_t> words;  // (R, groups)
  std::vector<Real> scales;          // (R) a_r
};

// scale_of returns max |x_k| / 127, or NaN if some x_k is not finite.
Real scale_of(const Real* x, std::size_t K) {
  Lanes most(Real(0)), nothing(Real(0));
  for_lanes(K, [&](std::size_t k, std::size_t n) {
    const Lanes here = load(x + k, n);
    most = xsimd::max(most, xsimd::abs(here));
    nothing = xsimd::fma(here, Lanes(Real(0)), nothing);
  });
  Real of_lanes[lane_count];
  most.store_unaligned(of_lanes);
  return *std::max_element(of_lanes, of_lanes + lane_count) / largest_integer + sum(nothing);
}

Inputs integers(const MatrixView& x, std::size_t K) {
  Inputs in{groups_of(K), {}, {}};
  in.words.resize(x.rows * in.groups);
  std::vector<std::uint8_t> u(in.groups * int8_group, 128);
  for (std::size_t r = 0; r < x.rows; ++r) {
    const Real* const row = x.data + r * x.stride;
    in.scales.push_back(scale_of(row, K));
    const Real inverse = inverse_of(in.scales[r]);
    if (inverse == 0) std::fill_n(u.begin(), K, std::uint8_t{128});
    else
      for (std::size_t k = 0; k < K; ++k)
        u[k] = static_cast<std::uint8_t>(static_cast<std::int32_t>(row[k] * inverse + Real(128.5)));
    for (std::size_t g = 0; g < in.groups; ++g) in.words[r * in.groups + g] = int8_inputs(&u[g * int8_group]);
  }
  return in;
}

// Panel has the weights, starts and scales of the columns of one panel.
struct Panel {
  const std::int8_t* weights;
  const std::int32_t* starts;
  const Real* scales;
  std::size_t columns;  // columns of c; the panel may be wider
};

// tile computes `rows` rows of y, from row r on, for the columns of the panel. It stores them in c or adds them to c.
template <std::size_t rows>
void tile(const Inputs& in, std::size_t r, const Panel& panel, Real* c, std::size_t c_stride, Into into) {
  Int8Sums sums[rows][vectors];
  for (auto& row : sums)
    for (std::size_t v = 0; v < vectors; ++v) row[v] = load_sums(panel.starts + v * int8_columns);
  const std::uint32_t* const words = in.words.data() + r * in.groups;
  const std::int8_t* weights = panel.weights;
  for (std::size_t g = 0; g < in.groups; ++g, weights += width * int8_group)
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t v = 0; v < vectors; ++v)
        sums[i][v] = add_products(sums[i][v], words[i * in.groups + g], weights + v * int8_columns * int8_group);
  for (std::size_t i = 0; i < rows; ++i) {
    std::int32_t whole[width];
    for (std::size_t v = 0; v < vectors; ++v) store_sums(whole + v * int8_columns, sums[i][v]);
    const Real a = in.scales[r + i];
    Real* const to = c + (r + i) * c_stride;
    if (into == Into::overwrite)
      for (std::size_t n = 0; n < panel.columns; ++n) to[n] = a * panel.scales[n] * static_cast<Real>(whole[n]);
    else
      for (std::size_t n = 0; n < panel.columns; ++n) to[n] += a * panel.scales[n] * static_cast<Real>(whole[n]);
  }
}

template <std::size_t most = int8_rows>
void tile_of(std::size_t rows, const Inputs& in, std::size_t r, const Panel& panel, Real* c, std::size_t c_stride,
             Into into) {
  if (rows == most) tile<most>(in, r, panel, c, c_stride, into);
  else if constexpr (most > 1) tile_of<most - 1>(rows, in, r, panel, c, c_stride, into);
}

}  // namespace

Int8Weights::Int8Weights(const MatrixView& b)
    : K_(b.transposed ? b.columns : b.rows),
      N_(b.transposed ? b.rows : b.columns),
      scales_(panels_of(N_) * width),
      starts_(scales_.size()),
      panels_(scales_.size() * groups_of(K_) * int8_group) {
  if (K_ > most_terms) throw std::invalid_argument(fmt::format("Int8Weights: {} terms, at most {}", K_, most_terms));
  const Span span("panels");
  parallel_for(0, panels_of(N_), N_ * K_ >= weights_worth_threads, [&](std::size_t p) {
    std::int8_t* const panel = panels_.data() + p * width * groups_of(K_) * int8_group;
    const std::size_t begin = p * width, columns = std::min(width, N_ - begin);
    Real most[width] = {}, nothing[width] = {}, inverse[width];
    for (std::size_t k = 0; k < K_; ++k)
      for (std::size_t n = 0; n < columns; ++n) {
        const Real w = element(b, k, begin + n);
        most[n] = std::max(most[n], std::abs(w)), nothing[n] += 0 * w;
      }
    for (std::size_t n = 0; n < columns; ++n) {
      scales_[begin + n] = most[n] / largest_integer + nothing[n];
      inverse[n] = inverse_of(scales_[begin + n]);
    }
    for (std::size_t k = 0; k < K_; ++k)
      for (std::size_t n = 0; n < columns; ++n) {
        const Real w = inverse[n] > 0 ? std::rint(element(b, k, begin + n) * inverse[n]) : 0;
        const auto q = static_cast<std::int8_t>(w);
        panel[(k / int8_group * width + n) * int8_group + k % int8_group] = q;
        starts_[begin + n] -= input_offset * q;
      }
  });
}

void Int8Weights::multiply(const MatrixView& x, Real* c, std::size_t c_stride, Into into) const {
  const Span span("gemm", 2.0 * static_cast<double>(x.rows) * static_cast<double>(N_ * K_));
  if (x.transposed || x.columns != K_)
    throw std::invalid_argument(fmt::format("Int8Weights: ({}, {}){} and ({}, {}) do not chain", x.rows, x.columns,
                                            x.transposed ? "'" : "", K_, N_));
  const Inputs in = integers(x, K_);
  SharedProduct shared(N_ * K_ >= weights_worth_threads);
  parallel_for(0, panels_of(N_), shared.pays(), [&](std::size_t p) {
    const std::size_t begin = p * width;
    const Panel panel{panels_.data() + begin * in.groups * int8_group, starts_.data() + begin, scales_.data() + begin,
                      std::min(width, N_ - begin)};
    for (std::size_t r = 0; r < x.rows; r += int8_rows)
      tile_of(std::min(int8_rows, x.rows - r), in, r, panel, c + begin, c_stride, into);
  });
}

}  // namespace softalign::autograd
