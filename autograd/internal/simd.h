// This file has vector instructions for the fused ops and for matrix products. A vector register has several numbers,
// called lanes, and one instruction processes all lanes. Simple ops use xtensor's vector code instead.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <tuple>
#include <utility>
#include <xsimd/xsimd.hpp>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "autograd/array.h"

// In a portable build, the library and its tests are compiled for different processors. The lanes are part of the names
// of these functions, so that the linker never takes a function for another vector size.
#if defined(__AVX512F__)
#define SOFTALIGN_LANES lanes_512
#elif defined(__AVX__)
#define SOFTALIGN_LANES lanes_256
#else
#define SOFTALIGN_LANES lanes_128
#endif

namespace softalign::autograd {
inline namespace SOFTALIGN_LANES {

using Lanes = xsimd::batch<Real>;
inline constexpr std::size_t lane_count = Lanes::size;

// load_some loads the first n lanes of a vector and sets the others to 0. store_some stores the first n lanes. With
// AVX-512, these functions use instructions that load or store a part of a vector. On other processors, they copy the
// numbers one by one through a buffer, which is slower.
#if defined(__AVX512F__)
template <class Mask>
Mask first_lanes(std::size_t n) {
  return static_cast<Mask>((1U << n) - 1);
}
inline __m512 load_some(const float* p, std::size_t n) { return _mm512_maskz_loadu_ps(first_lanes<__mmask16>(n), p); }
inline __m512d load_some(const double* p, std::size_t n) { return _mm512_maskz_loadu_pd(first_lanes<__mmask8>(n), p); }
inline void store_some(float* p, __m512 v, std::size_t n) { _mm512_mask_storeu_ps(p, first_lanes<__mmask16>(n), v); }
inline void store_some(double* p, __m512d v, std::size_t n) { _mm512_mask_storeu_pd(p, first_lanes<__mmask8>(n), v); }
#else
inline Lanes load_some(const Real* p, std::size_t n) {
  Real buffer[lane_count] = {};
  for (std::size_t i = 0; i < n; ++i) buffer[i] = p[i];
  return Lanes::load_unaligned(buffer);
}
inline void store_some(Real* p, const Lanes& v, std::size_t n) {
  Real buffer[lane_count];
  v.store_unaligned(buffer);
  for (std::size_t i = 0; i < n; ++i) p[i] = buffer[i];
}
#endif

// load and store accept any number n of lanes up to lane_count. The last elements of a row, which may not fill a
// vector, are therefore computed by the same operations as the other elements. So the result for an element does not
// depend on its position in the row.
inline Lanes load(const Real* p, std::size_t n) {
  return n == lane_count ? Lanes::load_unaligned(p) : Lanes(load_some(p, n));
}
inline void store(Real* p, const Lanes& v, std::size_t n) {
  if (n == lane_count) v.store_unaligned(p);
  else store_some(p, v, n);
}
inline void add_store(Real* p, const Lanes& v, std::size_t n) { store(p, load(p, n) + v, n); }

// Keeps a vector in a register for several multiplications. Without this function, compilers read the vector from
// memory for each multiplication. With 256-bit registers, reading memory would then take longer than multiplying.
inline void keep_in_register([[maybe_unused]] Lanes& v) {
#if defined(__x86_64__)
  asm("" : "+v"(v.data));
#endif
}

// Transposes a square block of numbers in log2(lane_count) rounds. Each round interleaves the lanes of the rows i and i
// + lane_count / 2.
inline void transpose(Lanes (&rows)[lane_count]) {
  constexpr std::size_t half = lane_count / 2;
  const auto zip = []<std::size_t... lane>(const Lanes& a, const Lanes& b, std::index_sequence<lane...>) {
    return std::pair(Lanes(__builtin_shufflevector(a.data, b.data, (lane / 2 + lane % 2 * lane_count)...)),
                     Lanes(__builtin_shufflevector(a.data, b.data, (half + lane / 2 + lane % 2 * lane_count)...)));
  };
  for (std::size_t round = 1; round < lane_count; round *= 2) {
    Lanes next[lane_count];
    for (std::size_t i = 0; i < half; ++i)
      std::tie(next[2 * i], next[2 * i + 1]) = zip(rows[i], rows[i + half], std::make_index_sequence<lane_count>());
    std::copy_n(next, lane_count, rows);
  }
}

// Calls body(i, n) for each vector of a row with `size` numbers. The vector has n lanes and begins at element i.
template <class Body>
inline void for_lanes(std::size_t size, const Body& body) {
  std::size_t i = 0;
  for (; i + lane_count <= size; i += lane_count) body(i, lane_count);
  if (i < size) body(i, size - i);
}

inline Lanes sigmoid(const Lanes& x) { return Lanes(Real(1)) / (Lanes(Real(1)) + xsimd::exp(-x)); }

// Computes tanh x = x P(x^2) / Q(x^2) for -8 <= x <= 8, where P is a polynomial of degree 5 and Q one of degree 3.
// tests/golden/fit_tanh.py computes the coefficients with the least relative error. The error of the formula is 2e-8,
// and 4e-7 in 32-bit floats, because each operation rounds. For larger |x|, the result is 1 or -1, except for the last
// digit.
inline Lanes tanh(const Lanes& x) {
  if constexpr (sizeof(Real) == sizeof(double)) {
    return xsimd::tanh(x);
  } else {
    constexpr Real P[] = {2.35117845e-11f, -1.47054529e-08f, 9.8790706e-06f, 0.00298590702f, 0.12979266f, 1};
    constexpr Real Q[] = {0.00023720946f, 0.0240281094f, 0.463125825f, 1};
    const auto polynomial = [](const auto& coefficients, const Lanes& z) {
      Lanes y(coefficients[0]);
      for (std::size_t i = 1; i < std::size(coefficients); ++i) y = xsimd::fma(y, z, Lanes(coefficients[i]));
      return y;
    };
    // The order of the arguments of min and max is important: if x is NaN, the result is NaN, too.
    const Lanes inside = xsimd::min(Lanes(Real(8)), xsimd::max(Lanes(Real(-8)), x)), z = inside * inside;
    return inside * polynomial(P, z) / polynomial(Q, z);
  }
}
inline Real sum(const Lanes& x) { return xsimd::hadd(x); }

}  // namespace SOFTALIGN_LANES
}  // namespace softalign::autograd
