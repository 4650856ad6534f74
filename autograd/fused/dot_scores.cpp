#include "autograd/fused/attention.h"
#include "autograd/fused/internal/memory_rows.h"
#include "autograd/fused/kernels.h"
#include "autograd/linalg/internal/rows.h"
#include "autograd/ops/matmul.h"

namespace autograd::inline SOFTALIGN_PRECISION {
namespace {

Var composed(const Var& query, const Var& keys, const MemoryRows& m) {
  const Var q = reshape(query, {m.R, 1, query.dim(1)});
  return reshape(batched_matmul(q, transpose(m.copied_out(keys), {0, 2, 1})), {m.R, m.S});
}

Var fused(const Var& query, const Var& keys, const MemoryRows& m) {
  const std::size_t A = keys.dim(1);
  Array e({m.R, m.S});
  {
    const Real *q = query.value().data(), *k = keys.value().data();
    Real* out = e.data();
#pragma omp parallel for schedule(static) if (m.R * m.S * A >= parallel_from)
    for (std::size_t r = 0; r < m.R; ++r)
      for (std::size_t j = 0; j < m.S; ++j) out[r * m.S + j] = dot(q + r * A, k + m.row(r, j) * A, A);
  }
  return Var("dot_scores", e, {query, keys}, [query, keys, m, A](const Array& de, const Array&) {
    Array dq = zeros(query.shape());
    Real* dk = keys.needs_grad() ? keys.zeroed_grad().data() : nullptr;
#pragma omp parallel for schedule(static) if (m.one_each && m.R * m.S * A >= parallel_from)
    for (std::size_t r = 0; r < m.R; ++r)
      for (std::size_t j = 0; j < m.S; ++j) {
        const Real d = de[r * m.S + j];
        if (d == 0) continue;  // padding
        const std::size_t row = m.row(r, j);
        add_scaled(d, keys.value().data() + row * A, dq.data() + r * A, A);
        if (dk) add_scaled(d, query.value().data() + r * A, dk + row * A, A);
      }
    query.add_grad(dq);
  });
}

}  // namespace

Var dot_scores(const Var& query, const Var& keys, const Ids& sentence, std::size_t sentences) {
  const MemoryRows m("dot_scores", keys.shape(), sentence, sentences);
  if (!(query.shape() == Shape{m.R, keys.dim(1)}))
    throw std::invalid_argument(fmt::format("dot_scores: query {} and keys {} do not fit; ({}, {}) queries expected",
                                            to_string(query.shape()), to_string(keys.shape()), m.R, keys.dim(1)));
  return dispatch<FusedOp::dot_scores>([&] { return fused(query, keys, m); }, [&] { return composed(query, keys, m); });
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
