#include "layers/addressing/dynamic_memory.h"

#include <algorithm>
#include <numeric>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"

namespace softalign::layers {

namespace {

// before_in_free_list returns (N, B, N), with 1 at [j, b, i] if location j comes before i in the free list of row b. Of
// equal locations, the one with the lower number comes first.
Array before_in_free_list(const Array& u) {
  const std::size_t B = u.shape()[0], N = u.shape()[1];
  Array before = autograd::zeros({N, B, N});
  std::vector<std::size_t> phi(N);
  for (std::size_t b = 0; b < B; ++b) {
    const Real* const row = u.data() + b * N;
    std::iota(phi.begin(), phi.end(), std::size_t{0});
    std::stable_sort(phi.begin(), phi.end(), [row](std::size_t i, std::size_t j) { return row[i] < row[j]; });
    for (std::size_t n = 0; n < N; ++n)
      for (std::size_t m = 0; m < n; ++m) before[(phi[m] * B + b) * N + phi[n]] = 1;
  }
  return before;
}

// product computes prod_j x_j of x (n, ..). It multiplies the first half by the second half until one factor is left.
// Unlike a sum of logarithms, this is exact if a factor is 0.
Var product(Var x) {
  while (x.dim(0) > 1) {
    const std::size_t n = x.dim(0), half = n / 2;
    const Var halves = slice(x, 0, 0, half) * slice(x, 0, half, 2 * half);
    x = n % 2 == 0 ? halves : autograd::concat({halves, slice(x, 0, n - 1, n)}, 0);
  }
  return at(x, 0);
}

// off_diagonal returns (N, N), with 0 on the diagonal and 1 elsewhere.
Array off_diagonal(std::size_t N) {
  Array ones({N, N}, 1);
  for (std::size_t i = 0; i < N; ++i) ones[i * N + i] = 0;
  return ones;
}

}  // namespace

Var content_weighting(const Var& M, const Var& k, const Var& beta) { return softmax(beta * cosines(k, M)); }

Var retention(const std::vector<Var>& f, const std::vector<Var>& w_r) {
  Var psi = Real(1) - f.at(0) * w_r.at(0);
  for (std::size_t i = 1; i < f.size(); ++i) psi = psi * (Real(1) - f[i] * w_r.at(i));
  return psi;
}

Var usage(const Var& u, const Var& w_w, const Var& psi) { return (u + w_w - u * w_w) * psi; }

Var allocation_weighting(const Var& u) {
  const Var before = autograd::constant(before_in_free_list(u.value()));
  const Var u_j = reshape(transpose(u), {u.dim(1), u.dim(0), 1});
  return (Real(1) - u) * product(before * u_j + (Real(1) - before));  // other locations have the factor 1
}

Var write_weighting(const Var& g_w, const Var& g_a, const Var& a, const Var& c_w) {
  return g_w * (g_a * a + (Real(1) - g_a) * c_w);
}

Var link_matrix(const Var& L, const Var& w_w, const Var& p) {
  const std::size_t B = w_w.dim(0), N = w_w.dim(1);
  const Var w_i = reshape(w_w, {B, N, 1}), w_j = reshape(w_w, {B, 1, N});
  return ((Real(1) - w_i - w_j) * L + w_i * reshape(p, {B, 1, N})) * autograd::constant(off_diagonal(N));
}

Var precedence_weighting(const Var& p, const Var& w_w) {
  return (Real(1) - sum(w_w, {1}, autograd::Keep::yes)) * p + w_w;
}

Var forward_weighting(const Var& L, const Var& w_r) {
  const std::size_t B = w_r.dim(0), N = w_r.dim(1);
  return reshape(batched_matmul(L, reshape(w_r, {B, N, 1})), {B, N});
}

Var backward_weighting(const Var& L, const Var& w_r) {
  const std::size_t B = w_r.dim(0), N = w_r.dim(1);
  return reshape(batched_matmul(reshape(w_r, {B, 1, N}), L), {B, N});  // L' w = (w' L)'
}

Var read_weighting(const Var& pi, const Var& b, const Var& c_r, const Var& f) {
  return slice(pi, 1, 0, 1) * b + slice(pi, 1, 1, 2) * c_r + slice(pi, 1, 2, 3) * f;
}

MemoryState empty_memory(std::size_t B, std::size_t N, std::size_t W, std::size_t R) {
  const Var none = autograd::constant(autograd::zeros({B, N}));
  return {.M = autograd::constant(Array({N, B, W}, Real(0.01))),
          .u = none,
          .w_w = none,
          .p = none,
          .L = autograd::constant(autograd::zeros({B, N, N})),
          .w_r = std::vector<Var>(R, none)};
}

MemoryState access(const MemoryInterface& xi, const MemoryState& before) {
  MemoryState now;
  now.u = usage(before.u, before.w_w, retention(xi.f, before.w_r));
  now.w_w =
      write_weighting(xi.g_w, xi.g_a, allocation_weighting(now.u), content_weighting(before.M, xi.k_w, xi.beta_w));
  now.M = memory_write(before.M, now.w_w, xi.e, xi.v);
  now.L = link_matrix(before.L, now.w_w, before.p);
  now.p = precedence_weighting(before.p, now.w_w);
  for (std::size_t i = 0; i < before.w_r.size(); ++i)
    now.w_r.push_back(read_weighting(xi.pi[i], backward_weighting(now.L, before.w_r[i]),
                                     content_weighting(now.M, xi.k_r[i], xi.beta_r[i]),
                                     forward_weighting(now.L, before.w_r[i])));
  return now;
}

MemoryInterface InterfaceLayer::operator()(const Var& h) const {
  const Var y = xi(h);
  std::size_t end = 0;
  const auto next = [&](std::size_t width) { return end += width, slice(y, 1, end - width, end); };
  const auto of_heads = [&](const auto& part) {
    std::vector<Var> parts;
    for (std::size_t i = 0; i < R; ++i) parts.push_back(part());
    return parts;
  };
  const auto strength = [&] { return softplus(next(1)) + Real(1); };  // oneplus
  const auto gate = [&] { return sigmoid(next(1)); };
  // The members of a braced list are computed in their order.
  return {.k_r = of_heads([&] { return next(W); }),
          .beta_r = of_heads(strength),
          .k_w = next(W),
          .beta_w = strength(),
          .e = sigmoid(next(W)),
          .v = next(W),
          .f = of_heads(gate),
          .g_a = gate(),
          .g_w = gate(),
          .pi = of_heads([&] { return softmax(next(3)); })};
}

}  // namespace softalign::layers
