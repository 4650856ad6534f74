// Products of 8-bit integers, added up in 32 bits: the instructions of each kind of processor, all with the same sums.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__AVX512VNNI__) || defined(__AVX2__)
#include <immintrin.h>
#endif

namespace softalign::autograd {

// A vector of columns' sums. add_products(sums, inputs, weights) adds sum_i u_i q_ni of `group` consecutive k: their u
// are in `inputs`, each `input_offset` too large; their q one behind the other, column by column.
#if defined(__AVX512VNNI__)

using Int8Sums = __m512i;
inline constexpr std::size_t int8_columns = 16, int8_group = 4, int8_rows = 6;  // rows: accumulators in 32 registers
inline constexpr int input_offset = 128;                                        // its left factors have no sign
inline std::uint32_t int8_inputs(const std::uint8_t* u) {
  return u[0] | std::uint32_t{u[1]} << 8 | std::uint32_t{u[2]} << 16 | std::uint32_t{u[3]} << 24;
}
inline Int8Sums load_sums(const std::int32_t* p) { return _mm512_loadu_si512(p); }
inline void store_sums(std::int32_t* p, Int8Sums sums) { _mm512_storeu_si512(p, sums); }
inline Int8Sums add_products(Int8Sums sums, std::uint32_t inputs, const std::int8_t* weights) {
  return _mm512_dpbusd_epi32(sums, _mm512_set1_epi32(static_cast<int>(inputs)), _mm512_loadu_si512(weights));
}

#elif defined(__AVX2__)  // its product of bytes saturates, that of 16 bits does not

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

}  // namespace softalign::autograd
