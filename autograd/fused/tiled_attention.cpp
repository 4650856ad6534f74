#include "autograd/fused/tiled_attention.h"

#include <cmath>
#include <limits>

#include "autograd/fused/internal/head_views.h"
#include "autograd/linalg/internal/rows.h"
#include "autograd/linalg/internal/softmax_rows.h"
#include "autograd/linalg/log_sum_exp.h"

namespace softalign::autograd::fused {
namespace {

// A tile of scores and the keys and values that it meets stay in the second cache.
constexpr std::size_t tile_queries = 64, tile_keys = 128;
constexpr Real nothing = -std::numeric_limits<Real>::infinity();

struct Part {
  std::size_t begin, end;
  std::size_t size() const { return end - begin; }
};
std::vector<Part> parts(std::size_t n, std::size_t size) {
  std::vector<Part> all;
  for (std::size_t i = 0; i < n; i += size) all.push_back({i, std::min(n, i + size)});
  return all;
}

struct Tiled {
  Var q, k, v;
  HeadViews views;
  std::size_t d, d_v;
  Real scale;
  Array L;  // (R, K, T) log sum_j e^e_tj, -inf where there is nothing to look at

  Array forward();
  void backward(const Array& dO, const Array& O);
  void forward(std::size_t r, std::size_t head, Real* O);
  void backward(std::size_t r, std::size_t head, const Array& dO, const Array& O, Real* dq, Real* dk, Real* dv);

  // Keys of this part that row t may look at.
  std::size_t seen(std::size_t r, std::size_t t, const Part& keys) const {
    const std::size_t n = views.visible(r, t);
    return n > keys.begin ? std::min(n, keys.end) - keys.begin : 0;
  }
};

// The last query of a part sees most.
bool skipped(const Tiled& x, std::size_t r, const Part& queries, const Part& keys) {
  return x.seen(r, queries.end - 1, keys) == 0;
}

void Tiled::forward(std::size_t r, std::size_t head, Real* O) {
  const Matrix Q = views.queries(q.value(), r, head, d), K = views.keys(k.value(), r, head, d),
               V = views.keys(v.value(), r, head, d_v);
  const auto [offset, stride] = views.of_queries(r, head, d_v);
  Real* const log_sums = L.data() + (r * views.K + head) * views.T;
  const std::vector<Part> queries = parts(views.T, tile_queries);
  std::vector<Real> m(views.T, nothing), l(views.T, 0);
  Array scores({tile_queries, tile_keys});
  for (const Part& b : parts(views.S, tile_keys)) {
    const Factor K_b = factor(t(rows(K, b.begin, b.end)), tile_queries);
    const Factor V_b = factor(rows(V, b.begin, b.end), tile_queries);
    for (const Part& a : queries) {
      if (skipped(*this, r, a, b)) continue;
      gemm(rows(Q, a.begin, a.end), K_b, scores.data(), tile_keys, Into::overwrite);
      for (std::size_t t = a.begin; t < a.end; ++t) {
        Real *const e = scores.data() + (t - a.begin) * tile_keys, *const o = O + offset + t * stride;
        const std::size_t n = seen(r, t, b);
        std::fill(e + n, e + b.size(), Real(0));
        if (n == 0) continue;
        const Real now = std::max(m[t], scale * largest(e, n));
        const Real kept = m[t] == nothing ? Real(0) : std::exp(m[t] - now);
        l[t] = kept * l[t] + exponentials(e, n, scale, now);
        scale_row(o, d_v, kept);
        m[t] = now;
      }
      gemm({scores.data(), a.size(), b.size(), tile_keys}, V_b, O + offset + a.begin * stride, stride, Into::add);
    }
  }
  for (std::size_t t = 0; t < views.T; ++t) {
    log_sums[t] = l[t] > 0 ? m[t] + std::log(l[t]) : nothing;
    if (l[t] > 0) scale_row(O + offset + t * stride, d_v, 1 / l[t]);
  }
}

Array Tiled::forward() {
  Array O = zeros({views.T, views.R, views.K * d_v});
  Real* const context = O.data();
  views.each(false, d, [&](std::size_t r, std::size_t head) { forward(r, head, context); });
  return O;
}

void Tiled::backward(std::size_t r, std::size_t head, const Array& dO, const Array& O, Real* dq, Real* dk, Real* dv) {
  const Matrix Q = views.queries(q.value(), r, head, d), K = views.keys(k.value(), r, head, d),
               V = views.keys(v.value(), r, head, d_v), dO_k = views.queries(dO, r, head, d_v);
  const auto to_q = views.of_queries(r, head, d), to_k = views.of_keys(r, head, d), to_v = views.of_keys(r, head, d_v);
  const Matrix O_k = views.queries(O, r, head, d_v);
  const Real* const log_sums = std::as_const(L).data() + (r * views.K + head) * views.T;
  std::vector<Real> D(views.T);
  for (std::size_t t = 0; t < views.T; ++t) D[t] = dot(dO_k.data + t * dO_k.stride, O_k.data + t * O_k.stride, d_v);

  const std::vector<Part> queries = parts(views.T, tile_queries);
  Array P({tile_queries, tile_keys}), dS({tile_queries, tile_keys});
  for (const Part& b : parts(views.S, tile_keys)) {
    const Factor K_t = factor(t(rows(K, b.begin, b.end)), tile_queries),
                 K_b = factor(rows(K, b.begin, b.end), tile_queries);
    const Factor V_t = factor(t(rows(V, b.begin, b.end)), tile_queries);
    for (const Part& a : queries) {
      if (skipped(*this, r, a, b)) continue;
      const Matrix Q_a = rows(Q, a.begin, a.end), dO_a = rows(dO_k, a.begin, a.end);
      gemm(Q_a, K_t, P.data(), tile_keys, Into::overwrite);
      gemm(dO_a, V_t, dS.data(), tile_keys, Into::overwrite);
      for (std::size_t t = a.begin; t < a.end; ++t) {
        Real *const p = P.data() + (t - a.begin) * tile_keys, *const ds = dS.data() + (t - a.begin) * tile_keys;
        const std::size_t n = seen(r, t, b);
        if (n > 0) exponentials(p, n, scale, log_sums[t]);
        std::fill(p + n, p + b.size(), Real(0));
        softmax_gradient(p, ds, D[t], scale, ds, b.size());
      }
      const Matrix P_ab{std::as_const(P).data(), a.size(), b.size(), tile_keys},
          dS_ab{std::as_const(dS).data(), a.size(), b.size(), tile_keys};
      if (dv) gemm(t(P_ab), dO_a, dv + to_v.offset + b.begin * to_v.stride, to_v.stride, Into::add);
      if (dq) gemm(dS_ab, K_b, dq + to_q.offset + a.begin * to_q.stride, to_q.stride, Into::add);
      if (dk) gemm(t(dS_ab), Q_a, dk + to_k.offset + b.begin * to_k.stride, to_k.stride, Into::add);
    }
  }
}

void Tiled::backward(const Array& dO, const Array& O) {
  const auto gradient = [](const Var& x) { return x.needs_grad() ? x.zeroed_grad().data() : nullptr; };
  Real *const dq = gradient(q), *const dk = gradient(k), *const dv = gradient(v);
  views.each(dk || dv, d, [&](std::size_t r, std::size_t head) { backward(r, head, dO, O, dq, dk, dv); });
}

}  // namespace

Var tiled_attention(const Var& q, const Var& k, const Var& v, std::size_t K, const Mask& mask) {
  const std::size_t d = head_width("attention", q.shape(), K), d_v = head_width("attention", v.shape(), K);
  const HeadViews views("attention", q.shape(), k.shape(), K, mask);
  if (head_width("attention", k.shape(), K) != d || k.dim(0) != v.dim(0) || k.dim(1) != v.dim(1))
    throw std::invalid_argument(fmt::format("attention: queries {}, keys {} and values {} do not fit",
                                            to_string(q.shape()), to_string(k.shape()), to_string(v.shape())));
  const auto tiles = std::make_shared<Tiled>(
      Tiled{q, k, v, views, d, d_v, 1 / std::sqrt(static_cast<Real>(d)), Array({views.R, K, views.T})});
  return Var("tiled_attention", tiles->forward(), {q, k, v},
             [tiles](const Array& dO, const Array& O) { tiles->backward(dO, O); });
}

}  // namespace softalign::autograd::fused
