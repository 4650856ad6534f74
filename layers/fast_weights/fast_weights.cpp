#include "layers/fast_weights/fast_weights.h"

#include <algorithm>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "layers/attention/scaled_dot_product.h"

namespace softalign::layers {

namespace {

// row and column split the heads of one step: (R, K*d) becomes (R*K, 1, d) as rows, or (R*K, d, 1) as columns.
Var row(const Var& x, std::size_t K) { return reshape(x, {x.dim(0) * K, 1, x.dim(1) / K}); }
Var column(const Var& x, std::size_t K) { return reshape(x, {x.dim(0) * K, x.dim(1) / K, 1}); }

FastStep read(const Var& W, const Var& q, std::size_t K) {
  return {reshape(batched_matmul(row(q, K), W), {q.dim(0), K * W.dim(2)}), W};
}

Array on_and_below_diagonal(std::size_t T) {
  Array L = autograd::zeros({T, T});
  for (std::size_t t = 0; t < T; ++t) std::fill_n(L.data() + t * T, t + 1, Real(1));
  return L;
}

}  // namespace

Var no_fast_weights(std::size_t R, std::size_t K, std::size_t m, std::size_t d_v) {
  return constant(autograd::zeros({R * K, m, d_v}));
}

FastStep sum_step(const Var& W, const Var& q, const Var& k, const Var& v, std::size_t K) {
  return read(W + batched_matmul(column(k, K), row(v, K)), q, K);
}

FastStep delta_step(const Var& W, const Var& q, const Var& k, const Var& v, const Var& beta, std::size_t K) {
  const Var known = batched_matmul(row(k, K), W);  // W_{t-1} k_t
  return read(W + batched_matmul(column(k, K), row(beta, K) * (row(v, K) - known)), q, K);
}

Var fast_weights_sum(const Var& q, const Var& k, const Var& v, std::size_t K, std::size_t chunk) {
  const std::size_t T = q.dim(0);
  Var W = no_fast_weights(q.dim(1), K, q.dim(2) / K, v.dim(2) / K);
  const Var Q = apart(q, K), K_ = transpose(apart(k, K), {0, 2, 1}), V = apart(v, K);
  std::vector<Var> y;
  for (std::size_t c = 0; c == 0 || c < T; c += chunk) {  // with T = 0, there is one empty chunk
    const std::size_t e = std::min(c + chunk, T);
    const Var Qc = slice(Q, 1, c, e), Kc = slice(K_, 2, c, e), Vc = slice(V, 1, c, e);
    const Var A = batched_matmul(Qc, Kc) * constant(on_and_below_diagonal(e - c));
    y.push_back(batched_matmul(A, Vc) + batched_matmul(Qc, W));
    W = W + batched_matmul(Kc, Vc);
  }
  return side_by_side(concat(y, 1), K);
}

Var fast_weights_delta(const Var& q, const Var& k, const Var& v, const Var& beta, std::size_t K) {
  FastStep step{{}, no_fast_weights(q.dim(1), K, q.dim(2) / K, v.dim(2) / K)};
  std::vector<Var> y;
  for (std::size_t t = 0; t < q.dim(0); ++t) {
    step = delta_step(step.W, at(q, t), at(k, t), at(v, t), at(beta, t), K);
    y.push_back(step.y);
  }
  return stack(y);
}

}  // namespace softalign::layers
