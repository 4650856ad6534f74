#include "autograd/fused/additive_scores.h"
#include "autograd/fused/internal/memory_rows.h"
#include "autograd/linalg/internal/simd.h"
#include "autograd/storage/broadcast.h"
#include "autograd/storage/parallel_for.h"

namespace softalign::autograd::fused {
namespace {

// Without coverage, `coverage` and `w_c` are undefined.
struct Scored {
  Var query, keys, v, coverage, w_c;
};

// One row against one word. `covered` says whether there is a coverage term: without it cov, w and dw are never read.
// e = v' tanh(q + k + w cov)
template <bool covered>
Real score(const Real* __restrict q, const Real* __restrict k, const Real* __restrict v, Real cov,
           const Real* __restrict w, std::size_t A) {
  Lanes e(Real(0));
  for_lanes(A, [&](std::size_t a, std::size_t n) {
    Lanes inside = load(q + a, n) + load(k + a, n);
    if constexpr (covered) inside += Lanes(cov) * load(w + a, n);
    e += load(v + a, n) * tanh(inside);
  });
  return sum(e);
}

// From de, with tanh computed again rather than stored: (R, S, A) numbers a step would be the largest thing in memory.
// Returns dcov.
template <bool covered>
Real score_backward(Real de, const Real* __restrict q, const Real* __restrict k, const Real* __restrict v, Real cov,
                    const Real* __restrict w, Real* __restrict dq, Real* __restrict dk, Real* __restrict dv,
                    Real* __restrict dw, std::size_t A) {
  const Lanes one(Real(1)), d(de);
  Lanes dcov(Real(0));
  for_lanes(A, [&](std::size_t a, std::size_t n) {
    Lanes inside = load(q + a, n) + load(k + a, n);
    if constexpr (covered) inside += Lanes(cov) * load(w + a, n);
    const Lanes y = tanh(inside);
    const Lanes ds = d * load(v + a, n) * (one - y * y);
    add_store(dq + a, ds, n);
    add_store(dk + a, ds, n);
    add_store(dv + a, d * y, n);
    if constexpr (covered) {
      add_store(dw + a, ds * Lanes(cov), n);
      dcov += ds * load(w + a, n);
    }
  });
  return covered ? sum(dcov) : Real(0);
}

template <bool covered>
Var scores(const Scored& x, const MemoryRows& m) {
  const std::size_t A = x.v.value().size();
  const auto cov = [](const Scored& s, std::size_t i) { return covered ? s.coverage.value()[i] : Real(0); };
  const auto w_c = [](const Scored& s) { return covered ? s.w_c.value().data() : nullptr; };
  Array e({m.R, m.S});
  {
    const Real *q = x.query.value().data(), *k = x.keys.value().data(), *v = x.v.value().data(), *w = w_c(x);
    Real* out = e.data();
    parallel_for(0, m.R, m.R * m.S * A >= parallel_from, [&](std::size_t r) {
      for (std::size_t j = 0; j < m.S; ++j)
        out[r * m.S + j] = score<covered>(q + r * A, k + m.row(r, j) * A, v, cov(x, r * m.S + j), w, A);
    });
  }
  std::vector<Var> inputs{x.query, x.keys, x.v};
  if (covered) inputs.insert(inputs.end(), {x.coverage, x.w_c});
  return Var("additive_scores", e, inputs, [=](const Array& de) {
    Array dq = zeros(x.query.shape()), dcov = covered ? zeros(de.shape()) : Array();
    // one row each, so that the sums do not depend on the number of threads
    Array dv_rows = zeros({m.R, A}), dw_rows = covered ? zeros({m.R, A}) : Array();
    Array unread;
    Array& dk = x.keys.needs_grad() ? x.keys.zeroed_grad() : (unread = zeros(x.keys.shape()));
    parallel_for(0, m.R, m.one_each && m.R * m.S * A >= parallel_from, [&](std::size_t r) {
      for (std::size_t j = 0; j < m.S; ++j) {
        const std::size_t i = r * m.S + j;
        if (de[i] == 0) continue;  // padding
        const Real d = score_backward<covered>(de[i], x.query.value().data() + r * A,
                                               x.keys.value().data() + m.row(r, j) * A, x.v.value().data(), cov(x, i),
                                               w_c(x), dq.data() + r * A, dk.data() + m.row(r, j) * A,
                                               dv_rows.data() + r * A, covered ? dw_rows.data() + r * A : nullptr, A);
        if (covered) dcov[i] = d;
      }
    });
    x.query.add_grad(dq);
    if (x.v.needs_grad()) add_column_sums(dv_rows, x.v.zeroed_grad());
    if (!covered) return;
    x.coverage.add_grad(dcov);
    if (x.w_c.needs_grad()) add_column_sums(dw_rows, x.w_c.zeroed_grad());
  });
}

}  // namespace

Var additive_scores(const Var& q, const Var& k, const Var& v, const Var& cov, const Var& w, const Ids& sentence) {
  const MemoryRows m("additive_scores", k.shape(), sentence);
  const std::size_t A = k.dim(2);
  if (!(q.shape() == Shape{m.R, A}) || !(v.shape() == Shape{A}))
    throw std::invalid_argument(
        fmt::format("additive_scores: query {}, keys {} and v {} do not fit; (R, A), (S, B, A), (A) expected",
                    to_string(q.shape()), to_string(k.shape()), to_string(v.shape())));
  if (!cov.defined()) return scores<false>({q, k, v, {}, {}}, m);
  if (!(cov.shape() == Shape{m.R, m.S}) || !(w.shape() == Shape{A}))
    throw std::invalid_argument(
        fmt::format("additive_scores: coverage {} and w_c {} do not fit; ({}, {}) and ({}) expected",
                    to_string(cov.shape()), to_string(w.shape()), m.R, m.S, A));
  return scores<true>({q, k, v, cov, w}, m);
}

}  // namespace softalign::autograd::fused
