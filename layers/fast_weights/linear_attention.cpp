#include "layers/fast_weights/linear_attention.h"

#include <algorithm>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "layers/attention/scaled_dot_product.h"
#include "layers/fast_weights/fast_weights.h"
#include "layers/padding.h"

namespace softalign::layers {

namespace {

Var elu_plus_one(const Var& x) { return relu(x) + exp(minimum(x, constant(autograd::zeros({1})))); }

Var dpfp(const Var& x, std::size_t nu) {  // (T, B, K, d) -> (T, B, K, 2d nu)
  const Var r = autograd::concat({relu(x), relu(-x)}, 3);
  const std::size_t n = r.dim(3);
  std::vector<Var> parts;
  for (std::size_t i = 1; i <= nu; ++i)
    parts.push_back(r * autograd::concat({slice(r, 3, i % n, n), slice(r, 3, 0, i % n)}, 3));  // r_j r_{j+i}
  return concat(parts, 3);
}

}  // namespace

Var features(FeatureMap map, const Var& x, std::size_t K, const std::vector<std::size_t>& lengths, std::size_t nu) {
  const std::size_t T = x.dim(0), B = x.dim(1);
  Var phi = x;
  if (map == FeatureMap::elu_plus_one) phi = elu_plus_one(x);
  if (map == FeatureMap::dpfp) phi = reshape(dpfp(reshape(x, {T, B, K, x.dim(2) / K}), nu), {T, B, 2 * nu * x.dim(2)});
  return lengths.empty() ? phi : phi * constant(word_mask(T, lengths));
}

Var unit_sum(const Var& phi, std::size_t K) {
  const Var heads = reshape(phi, {phi.dim(0), phi.dim(1), K, phi.dim(2) / K});
  return reshape(heads / (sum(heads, {3}, autograd::Keep::yes) + Real(1e-6)), phi.shape());
}

namespace {

constexpr Real epsilon = Real(1e-6);

// with_one appends a 1 to the value of each head: (T, B, K*d) -> (T, B, K*(d + 1))
Var with_one(const Var& v, std::size_t K) {
  const std::size_t T = v.dim(0), B = v.dim(1), d = v.dim(2) / K;
  const Var ones = constant(Array({T, B, K, 1}, 1));
  return reshape(autograd::concat({reshape(v, {T, B, K, d}), ones}, 3), {T, B, K * (d + 1)});
}

// normalised computes S'q / (z'q + epsilon) from [S'q; z'q], for each head.
Var normalised(const Var& y, std::size_t K) {
  const std::size_t T = y.dim(0), B = y.dim(1), d = y.dim(2) / K - 1;
  const Var heads = reshape(y, {T, B, K, d + 1});
  return reshape(slice(heads, 3, 0, d) / (slice(heads, 3, d, d + 1) + epsilon), {T, B, K * d});
}

Var one_step(const Var& x) { return reshape(x, {1, x.dim(0), x.dim(1)}); }  // (R, D) -> (1, R, D)

}  // namespace

Var linear_attention(Order order, const Var& q, const Var& k, const Var& v, std::size_t K) {
  const Var v1 = with_one(v, K);
  if (order == Order::causal) return normalised(fast_weights_sum(q, k, v1, K), K);
  const Var sums = batched_matmul(transpose(apart(k, K), {0, 2, 1}), apart(v1, K));  // [S z] of all steps
  return normalised(side_by_side(batched_matmul(apart(q, K), sums), K), K);
}

Var linear_weights(Order order, const Var& q, const Var& k, std::size_t K) {
  const std::size_t T = q.dim(0), S = k.dim(0);
  Var A = batched_matmul(apart(q, K), transpose(apart(k, K), {0, 2, 1}));  // (B*K, T, S)
  if (order == Order::causal) {
    Array seen = autograd::zeros({T, S});
    for (std::size_t t = 0; t < T; ++t) std::fill_n(seen.data() + t * S, std::min(t + 1, S), Real(1));
    A = A * constant(seen);
  }
  return reshape(together(A / (sum(A, {2}, autograd::Keep::yes) + epsilon), K), {T * q.dim(1), K, S});
}

LinearStep linear_step(const Var& sums, const Var& q, const Var& k, const Var& v, std::size_t K) {
  const Var v1 = with_one(one_step(v), K);
  const FastStep step = sum_step(sums, q, k, at(v1, 0), K);
  return {at(normalised(one_step(step.y), K), 0), step.W};
}

}  // namespace softalign::layers
