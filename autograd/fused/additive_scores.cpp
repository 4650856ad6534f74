#include "autograd/fused/attention.h"
#include "autograd/fused/memory_rows.h"
#include "autograd/kernels.h"
#include "autograd/ops/broadcast.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/simd.h"

namespace autograd::inline SOFTALIGN_PRECISION {
namespace {

// e = sum_a v tanh(q + k)
Var composed(const Var& query, const Var& keys, const Var& v, const MemoryRows& m) {
  const Var q = reshape(query, {m.R, 1, query.dim(1)});
  return sum(v * tanh(q + m.copied_out(keys)), {2});
}

// e = v' tanh(q + k)
Real score(const Real* __restrict q, const Real* __restrict k, const Real* __restrict v, std::size_t A) {
  Lanes e(Real(0));
  for_lanes(A, [&](std::size_t a, std::size_t n) { e += load(v + a, n) * tanh(load(q + a, n) + load(k + a, n)); });
  return sum(e);
}

// From de, with tanh computed again rather than stored: (R, S, A) numbers a step would be the largest thing in memory.
void score_backward(Real de, const Real* __restrict q, const Real* __restrict k, const Real* __restrict v,
                    Real* __restrict dq, Real* __restrict dk, Real* __restrict dv, std::size_t A) {
  const Lanes one(Real(1)), d(de);
  for_lanes(A, [&](std::size_t a, std::size_t n) {
    const Lanes y = tanh(load(q + a, n) + load(k + a, n));
    const Lanes ds = d * load(v + a, n) * (one - y * y);
    add_store(dq + a, ds, n);
    add_store(dk + a, ds, n);
    add_store(dv + a, d * y, n);
  });
}

Var fused(const Var& query, const Var& keys, const Var& v, const MemoryRows& m) {
  const std::size_t A = v.value().size();
  Array e({m.R, m.S});
  {
    const Real *q = query.value().data(), *k = keys.value().data(), *v_a = v.value().data();
    Real* out = e.data();
#pragma omp parallel for schedule(static) if (m.R * m.S * A >= parallel_from)
    for (std::size_t r = 0; r < m.R; ++r)
      for (std::size_t j = 0; j < m.S; ++j) out[r * m.S + j] = score(q + r * A, k + m.row(r, j) * A, v_a, A);
  }
  return Var("additive_scores", e, {query, keys, v}, [query, keys, v, m, A](const Array& de, const Array&) {
    Array dq = zeros(query.shape());
    Array dv_rows = zeros({m.R, A});  // one row each, so that the sum does not depend on the number of threads
    Array unread;
    Array& dk = keys.needs_grad() ? keys.zeroed_grad() : (unread = zeros(keys.shape()));
#pragma omp parallel for schedule(static) if (m.one_each && m.R * m.S * A >= parallel_from)
    for (std::size_t r = 0; r < m.R; ++r)
      for (std::size_t j = 0; j < m.S; ++j)
        if (de[r * m.S + j] != 0)  // padding
          score_backward(de[r * m.S + j], query.value().data() + r * A, keys.value().data() + m.row(r, j) * A,
                         v.value().data(), dq.data() + r * A, dk.data() + m.row(r, j) * A, dv_rows.data() + r * A, A);
    query.add_grad(dq);
    if (v.needs_grad()) add_column_sums(dv_rows, v.zeroed_grad());
  });
}

}  // namespace

Var additive_scores(const Var& query, const Var& keys, const Var& v, const Ids& sentence, std::size_t sentences) {
  const MemoryRows m("additive_scores", keys.shape(), sentence, sentences);
  const std::size_t A = keys.dim(1);
  if (!(query.shape() == Shape{m.R, A}) || !(v.shape() == Shape{A}))
    throw std::invalid_argument(
        fmt::format("additive_scores: query {}, keys {} and v {} do not fit; (R, A), (S*B, A), (A) expected",
                    to_string(query.shape()), to_string(keys.shape()), to_string(v.shape())));
  return dispatch<FusedOp::additive_scores>([&] { return fused(query, keys, v, m); },
                                            [&] { return composed(query, keys, v, m); });
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
