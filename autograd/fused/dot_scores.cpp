#include "autograd/fused/dot_scores.h"
#include "autograd/fused/internal/memory_rows.h"
#include "autograd/linalg/internal/rows.h"
#include "autograd/storage/parallel_for.h"

namespace softalign::autograd::fused {

Var dot_scores(const Var& query, const Var& keys, const Ids& sentence) {
  const MemoryRows m("dot_scores", keys.shape(), sentence);
  const std::size_t A = keys.dim(2);
  if (!(query.shape() == Shape{m.R, A}))
    throw std::invalid_argument(fmt::format("dot_scores: query {} and keys {} do not fit; ({}, {}) queries expected",
                                            to_string(query.shape()), to_string(keys.shape()), m.R, A));
  Array e({m.R, m.S});
  {
    const Real *q = query.value().data(), *k = keys.value().data();
    Real* out = e.data();
    parallel_for(0, m.R, m.R * m.S * A >= parallel_from, [&](std::size_t r) {
      for (std::size_t j = 0; j < m.S; ++j) out[r * m.S + j] = dot(q + r * A, k + m.row(r, j) * A, A);
    });
  }
  return Var("dot_scores", e, {query, keys}, [query, keys, m, A](const Array& de) {
    Array dq = zeros(query.shape());
    Real* dk = keys.needs_grad() ? keys.zeroed_grad().data() : nullptr;
    parallel_for(0, m.R, m.one_each && m.R * m.S * A >= parallel_from, [&](std::size_t r) {
      for (std::size_t j = 0; j < m.S; ++j) {
        const Real d = de[r * m.S + j];
        if (d == 0) continue;  // padding
        const std::size_t row = m.row(r, j);
        add_scaled(d, keys.value().data() + row * A, dq.data() + r * A, A);
        if (dk) add_scaled(d, query.value().data() + r * A, dk + row * A, A);
      }
    });
    query.add_grad(dq);
  });
}

}  // namespace softalign::autograd::fused
