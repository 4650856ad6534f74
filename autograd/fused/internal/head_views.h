// HeadViews: where the heads of queries, keys and values stand; shared by the attention ops of all steps.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "autograd/fused/attention.h"
#include "autograd/linalg/gemm.h"
#include "autograd/linalg/internal/simd.h"
#include "autograd/storage/parallel_for.h"

namespace softalign::autograd::fused {

struct HeadViews {
  std::size_t T, R, S, B, K;
  Mask mask;
  bool apart = true;  // no two rows look at the same sentence, so none writes where another does

  // queries (T, R, ..) and keys (S, B, ..) or (B, S, ..). std::invalid_argument naming the op: sizes that do not fit.
  HeadViews(const char* op, const Shape& queries, const Shape& keys, std::size_t heads, const Mask& m)
      : T(queries[0]), R(queries[1]), S(keys[m.rows_first ? 1 : 0]), B(keys[m.rows_first ? 0 : 1]), K(heads), mask(m) {
    const auto refuse = [&](const std::string& why) { throw std::invalid_argument(std::string(op) + ": " + why); };
    if (mask.sentence.empty() ? R != B : mask.sentence.size() != R)
      refuse(fmt::format("{} rows of queries, {} sentences of keys, and {} rows that name theirs", R, B,
                         mask.sentence.size()));
    if (!mask.lengths.empty() && mask.lengths.size() != B)
      refuse(fmt::format("{} lengths of {} sentences", mask.lengths.size(), B));
    for (const std::size_t length : mask.lengths)
      if (length > S) refuse(fmt::format("a length of {} above {} keys", length, S));
    if (mask.causal && T > S) refuse(fmt::format("{} causal queries of {} keys", T, S));
    std::vector<bool> taken(B);
    for (const Id b : mask.sentence) {
      if (b < 0 || static_cast<std::size_t>(b) >= B) refuse(fmt::format("a row looks at sentence {} of {}", b, B));
      apart = apart && !taken[static_cast<std::size_t>(b)];
      taken[static_cast<std::size_t>(b)] = true;
    }
  }

  std::size_t sentence(std::size_t r) const {
    return mask.sentence.empty() ? r : static_cast<std::size_t>(mask.sentence[r]);
  }
  // How many keys, from the first on, query t of row r may look at.
  std::size_t visible(std::size_t r, std::size_t t) const {
    const std::size_t length = mask.lengths.empty() ? S : mask.lengths[sentence(r)];
    return mask.causal ? std::min(length, t + 1 + S - T) : length;
  }

  // Element (i, j) of a matrix inside an array at [offset + i * stride + j].
  struct Place {
    std::size_t offset, stride;
  };
  // Head k of row r, in arrays (T, R, K, width) and of its sentence, in arrays of keys (S, B, K, width) or (B, S, ..).
  Place of_queries(std::size_t r, std::size_t k, std::size_t width) const {
    return {(r * K + k) * width, R * K * width};
  }
  Place of_keys(std::size_t r, std::size_t k, std::size_t width) const {
    const std::size_t b = sentence(r);
    return mask.rows_first ? Place{(b * S * K + k) * width, K * width} : Place{(b * K + k) * width, B * K * width};
  }
  Matrix queries(const Array& x, std::size_t r, std::size_t k, std::size_t width) const {
    const Place p = of_queries(r, k, width);
    return {x.data() + p.offset, T, width, p.stride};
  }
  Matrix keys(const Array& x, std::size_t r, std::size_t k, std::size_t width) const {
    const Place p = of_keys(r, k, width);
    return {x.data() + p.offset, S, width, p.stride};
  }

  // body(r, k) for every head of every row, on several threads unless heads of two rows write to one place.
  template <class Body>
  void each(bool writes_keys, std::size_t width, const Body& body) const {
    const bool by_row = apart || !writes_keys;
    const std::size_t parts = by_row ? R * K : K;
    parallel_for(0, parts, R * T * S * K * width >= parallel_from, [&](std::size_t i) {
      if (by_row) {
        body(i / K, i % K);
      } else {
        for (std::size_t r = 0; r < R; ++r) body(r, i);
      }
    });
  }
};

// Width of a head. std::invalid_argument naming the op: no whole number.
inline std::size_t head_width(const char* op, const Shape& x, std::size_t K) {
  if (x.rank() != 3 || K == 0 || x[2] % K != 0)
    throw std::invalid_argument(fmt::format("{}: {} does not divide into {} heads", op, to_string(x), K));
  return x[2] / K;
}

}  // namespace softalign::autograd::fused
