// Heads as matrices of their own, for the definitions: the fused ops read them where they stand.
#pragma once

#include "autograd/ops/shape.h"
#include "layers/types.h"

namespace softalign::layers {

// Each head of each row as a matrix of its own: (T, R, K*d) -> (R*K, T, d)
inline Var apart(const Var& x, std::size_t K) {
  const std::size_t T = x.dim(0), R = x.dim(1), d = x.dim(2) / K;
  return reshape(transpose(reshape(x, {T, R, K, d}), {1, 2, 0, 3}), {R * K, T, d});
}

// (R*K, T, d) -> (T, R, K, d)
inline Var together(const Var& x, std::size_t K) {
  return transpose(reshape(x, {x.dim(0) / K, K, x.dim(1), x.dim(2)}), {2, 0, 1, 3});
}

// (R*K, T, d) -> (T, R, K*d), the inverse of apart
inline Var side_by_side(const Var& x, std::size_t K) {
  return reshape(together(x, K), {x.dim(1), x.dim(0) / K, K * x.dim(2)});
}

}  // namespace softalign::layers
