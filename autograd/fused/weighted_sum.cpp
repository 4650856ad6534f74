#include "autograd/fused/weighted_sum.h"
#include "autograd/fused/internal/memory_rows.h"
#include "autograd/linalg/internal/rows.h"
#include "autograd/storage/parallel_for.h"

namespace softalign::autograd::fused {

Var weighted_sum(const Var& weights, const Var& states, const Ids& sentence) {
  const MemoryRows m("weighted_sum", states.shape(), sentence);
  const std::size_t D = states.dim(2);
  if (!(weights.shape() == Shape{m.R, m.S}))
    throw std::invalid_argument(
        fmt::format("weighted_sum: weights {} and states {} do not fit; ({}, {}) weights expected",
                    to_string(weights.shape()), to_string(states.shape()), m.R, m.S));
  Array c = zeros({m.R, D});
  parallel_for(0, m.R, m.R * m.S * D >= parallel_from, [&](std::size_t r) {
    for (std::size_t j = 0; j < m.S; ++j) {
      const Real alpha = weights.value()[r * m.S + j];
      if (alpha != 0) add_scaled(alpha, states.value().data() + m.row(r, j) * D, c.data() + r * D, D);
    }
  });
  return Var("weighted_sum", c, {weights, states}, [weights, states, m, D](const Array& dc) {
    Array dalpha(weights.shape());
    Real* dh = states.needs_grad() ? states.zeroed_grad().data() : nullptr;
    parallel_for(0, m.R, m.one_each && m.R * m.S * D >= parallel_from, [&](std::size_t r) {
      for (std::size_t j = 0; j < m.S; ++j) {
        const std::size_t row = m.row(r, j);
        dalpha[r * m.S + j] = dot(dc.data() + r * D, states.value().data() + row * D, D);
        if (dh) add_scaled(weights.value()[r * m.S + j], dc.data() + r * D, dh + row * D, D);
      }
    });
    weights.add_grad(dalpha);
  });
}

}  // namespace softalign::autograd::fused
