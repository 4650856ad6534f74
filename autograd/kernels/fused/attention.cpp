#include "autograd/ops/fused.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "autograd/internal/simd.h"
#include "autograd/kernels/gemm.h"
#include "autograd/kernels/internal/rows.h"
#include "autograd/ops/log_sum_exp.h"
#include "autograd/threads/parallel_for.h"

namespace softalign::autograd::fused {
namespace {

// HeadViews has the sizes and positions of the heads in queries, keys and values.
struct HeadViews {
  std::size_t T, R, S, B, K;
  Mask mask;
  bool apart = true;  // true if no two rows attend to the same sentence; then no two rows write to the same gradient

  // Queries are (T, R, ..). Keys are (S, B, ..), or (B, S, ..) if m.rows_first is true. The constructor throws
  // std::invalid_argument, naming the op, if sizes do not fit.
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
  // visible returns the number of keys that query t of row r may attend to. These keys are the first ones of the
  // sentence.
  std::size_t visible(std::size_t r, std::size_t t) const {
    const std::size_t length = mask.lengths.empty() ? S : mask.lengths[sentence(r)];
    return mask.causal ? std::min(length, t + 1 + S - T) : length;
  }

  // Place describes a matrix inside an array: element (i, j) is at [offset + i * stride + j].
  struct Place {
    std::size_t offset, stride;
  };
  // of_queries finds head k of row r in an array (T, R, K, width). of_keys finds head k of the sentence of row r in an
  // array of keys, (S, B, K, width) or (B, S, K, width).
  Place of_queries(std::size_t r, std::size_t k, std::size_t width) const {
    return {(r * K + k) * width, R * K * width};
  }
  Place of_keys(std::size_t r, std::size_t k, std::size_t width) const {
    const std::size_t b = sentence(r);
    return mask.rows_first ? Place{(b * S * K + k) * width, K * width} : Place{(b * K + k) * width, B * K * width};
  }
  MatrixView queries(const Array& x, std::size_t r, std::size_t k, std::size_t width) const {
    const Place p = of_queries(r, k, width);
    return {x.data() + p.offset, T, width, p.stride};
  }
  MatrixView keys(const Array& x, std::size_t r, std::size_t k, std::size_t width) const {
    const Place p = of_keys(r, k, width);
    return {x.data() + p.offset, S, width, p.stride};
  }

  // each calls body(r, k) for every head k of every row r, on several threads. If two rows write to the same gradient,
  // the rows of a head run one after the other.
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

// head_width returns the width of a head. It throws std::invalid_argument, naming the op, if x does not divide into K
// heads.
std::size_t head_width(const char* op, const Shape& x, std::size_t K) {
  if (x.rank() != 3 || K == 0 || x[2] % K != 0)
    throw std::invalid_argument(fmt::format("{}: {} does not divide into {} heads", op, to_string(x), K));
  return x[2] / K;
}

}  // namespace

Var attention_weights(const Var& q, const Var& k, std::size_t K, const Mask& mask) {
  const std::size_t d = head_width("attention", q.shape(), K);
  if (head_width("attention", k.shape(), K) != d)
    throw std::invalid_argument(fmt::format("attention: queries {} and keys {} must have rows of one size",
                                            to_string(q.shape()), to_string(k.shape())));
  const HeadViews views("attention", q.shape(), k.shape(), K, mask);
  const std::size_t T = views.T, S = views.S;
  const Real scale = 1 / std::sqrt(static_cast<Real>(d));
  Array A({T, views.R, K, S});
  Real* const weights = A.data();
  views.each(false, d, [&](std::size_t r, std::size_t head) {
    const auto [offset, stride] = views.of_queries(r, head, S);
    gemm(views.queries(q.value(), r, head, d), t(views.keys(k.value(), r, head, d)), weights + offset, stride,
         Into::overwrite);
    for (std::size_t t = 0; t < T; ++t) {
      Real* const row = weights + offset + t * stride;
      const std::size_t n = views.visible(r, t);
      std::fill(row + n, row + S, Real(0));
      if (n > 0) scale_row(row, n, 1 / exponentials(row, n, scale, scale * largest(row, n)));
    }
  });
  return Var("attention_weights", A, {q, k}, [=](const Array& dA, const Array& y) {
    Real* const dq = q.needs_grad() ? q.zeroed_grad().data() : nullptr;
    Real* const dk = k.needs_grad() ? k.zeroed_grad().data() : nullptr;
    views.each(dk != nullptr, d, [&](std::size_t r, std::size_t head) {
      const auto [offset, stride] = views.of_queries(r, head, S);
      Array dE({T, S});
      for (std::size_t t = 0; t < T; ++t) {
        const Real *const row = y.data() + offset + t * stride, *const drow = dA.data() + offset + t * stride;
        softmax_gradient(row, drow, dot(row, drow, S), scale, dE.data() + t * S, S);
      }
      const auto to_q = views.of_queries(r, head, d), to_k = views.of_keys(r, head, d);
      if (dq) gemm(matrix(dE), views.keys(k.value(), r, head, d), dq + to_q.offset, to_q.stride, Into::add);
      if (dk) gemm(t(matrix(dE)), views.queries(q.value(), r, head, d), dk + to_k.offset, to_k.stride, Into::add);
    });
  });
}

Var attention_context(const Var& A, const Var& v, const Mask& mask) {
  const std::size_t K = A.dim(2), S = A.dim(3), d = head_width("attention", v.shape(), K);
  const HeadViews views("attention", A.shape(), v.shape(), K, mask);
  if (views.S != S)
    throw std::invalid_argument(
        fmt::format("attention: weights {} of values {}", to_string(A.shape()), to_string(v.shape())));
  Array O({views.T, views.R, K * d});
  Real* const context = O.data();
  views.each(false, d, [&](std::size_t r, std::size_t head) {
    const auto [offset, stride] = views.of_queries(r, head, d);
    gemm(views.queries(A.value(), r, head, S), views.keys(v.value(), r, head, d), context + offset, stride,
         Into::overwrite);
  });
  return Var("attention_context", O, {A, v}, [=](const Array& dO) {
    Real* dA = nullptr;
    Into into = Into::add;
    if (A.needs_grad()) {
      const auto [array, fresh] = A.grad_slot();
      dA = array.data();
      if (fresh) into = Into::overwrite;
    }
    Real* const dv = v.needs_grad() ? v.zeroed_grad().data() : nullptr;
    views.each(dv != nullptr, d, [&](std::size_t r, std::size_t head) {
      const MatrixView dO_k = views.queries(dO, r, head, d);
      const auto to_A = views.of_queries(r, head, S), to_v = views.of_keys(r, head, d);
      if (dA) gemm(dO_k, t(views.keys(v.value(), r, head, d)), dA + to_A.offset, to_A.stride, into);
      if (dv) gemm(t(views.queries(A.value(), r, head, S)), dO_k, dv + to_v.offset, to_v.stride, Into::add);
    });
  });
}

namespace {

// A tile of scores fits into the L2 cache together with its keys and values.
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
  Array L;  // (R, K, T) log sum_j e^e_tj; -inf for a query that may attend to no key

  Array forward();
  void backward(const Array& dO, const Array& O);
  void forward(std::size_t r, std::size_t head, Real* O);
  void backward(std::size_t r, std::size_t head, const Array& dO, const Array& O, Real* dq, Real* dk, Real* dv);

  // seen returns how many keys of this part query t of row r may attend to.
  std::size_t seen(std::size_t r, std::size_t t, const Part& keys) const {
    const std::size_t n = views.visible(r, t);
    return n > keys.begin ? std::min(n, keys.end) - keys.begin : 0;
  }
};

// skipped is true if no query of the part may attend to these keys. The last query decides, because it sees the most
// keys.
bool skipped(const Tiled& x, std::size_t r, const Part& queries, const Part& keys) {
  return x.seen(r, queries.end - 1, keys) == 0;
}

void Tiled::forward(std::size_t r, std::size_t head, Real* O) {
  const MatrixView Q = views.queries(q.value(), r, head, d), K = views.keys(k.value(), r, head, d),
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
  const MatrixView Q = views.queries(q.value(), r, head, d), K = views.keys(k.value(), r, head, d),
                   V = views.keys(v.value(), r, head, d_v), dO_k = views.queries(dO, r, head, d_v);
  const auto to_q = views.of_queries(r, head, d), to_k = views.of_keys(r, head, d), to_v = views.of_keys(r, head, d_v);
  const MatrixView O_k = views.queries(O, r, head, d_v);
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
      const MatrixView Q_a = rows(Q, a.begin, a.end), dO_a = rows(dO_k, a.begin, a.end);
      gemm(Q_a, K_t, P.data(), tile_keys, Into::overwrite);
      gemm(dO_a, V_t, dS.data(), tile_keys, Into::overwrite);
      for (std::size_t t = a.begin; t < a.end; ++t) {
        Real *const p = P.data() + (t - a.begin) * tile_keys, *const ds = dS.data() + (t - a.begin) * tile_keys;
        const std::size_t n = seen(r, t, b);
        if (n > 0) exponentials(p, n, scale, log_sums[t]);
        std::fill(p + n, p + b.size(), Real(0));
        softmax_gradient(p, ds, D[t], scale, ds, b.size());
      }
      const MatrixView P_ab{std::as_const(P).data(), a.size(), b.size(), tile_keys},
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
