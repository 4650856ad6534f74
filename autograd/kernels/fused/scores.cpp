#include "autograd/ops/fused.h"

#include <fmt/format.h>

#include <numeric>
#include <stdexcept>

#include "autograd/array.h"
#include "autograd/internal/simd.h"
#include "autograd/kernels/internal/rows.h"
#include "autograd/ops/reduce.h"
#include "autograd/threads/parallel_for.h"
#include "autograd/var.h"

namespace softalign::autograd::fused {
namespace {

// MemoryRows maps each decoder row to the sentence of a time-major memory (S, B, K) that the row attends to.
struct MemoryRows {
  std::size_t S, B, R;
  Ids sentence;          // (R)
  bool one_each = true;  // row r attends to sentence r, so no two rows write to the same gradient of the memory

  MemoryRows(const char* op, const Shape& memory, const Ids& rows)
      : S(memory[0]), B(memory[1]), R(rows.size()), sentence(rows) {
    if (memory.rank() != 3)
      throw std::invalid_argument(fmt::format("{}: memory {} is not (S, B, K)", op, to_string(memory)));
    for (std::size_t r = 0; r < R; ++r) {
      if (sentence[r] < 0 || static_cast<std::size_t>(sentence[r]) >= B)
        throw std::invalid_argument(fmt::format("{}: row {} looks at sentence {} of {}", op, r, sentence[r], B));
      one_each = one_each && static_cast<std::size_t>(sentence[r]) == r;
    }
  }

  std::size_t row(std::size_t r, std::size_t j) const { return j * B + static_cast<std::size_t>(sentence[r]); }
};

// Without coverage, `coverage` and `w_c` are undefined.
struct Scored {
  Var query, keys, v, coverage, w_c;
};

// score compares one decoder row with one source word. If `covered` is false, there is no coverage term, and cov, w and
// dw are not used.
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

// score_backward adds to the gradients, given de, and returns dcov. It computes tanh again, because storing (R, S, A)
// numbers per step would take more memory than anything else.
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
    // Each decoder row has a row of its own, so that the sums do not depend on the number of threads.
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

namespace {

Array steps(std::size_t S) {  // 0, 1, .., S-1
  Array j({S});
  std::iota(j.data(), j.data() + S, Real(0));
  return j;
}

void window(const Real* __restrict alpha, const Real* __restrict steps, Real p, Real sigma, Real* __restrict y,
            std::size_t S) {
  const Lanes centre(p), scale(Real(-0.5) / (sigma * sigma));
  for_lanes(S, [&](std::size_t j, std::size_t n) {
    const Lanes away = load(steps + j, n) - centre;
    store(y + j, load(alpha + j, n) * xsimd::exp(scale * away * away), n);
  });
}

// window_backward stores dalpha = dy exp(..) and returns dp.
Real window_backward(const Real* __restrict dy, const Real* __restrict alpha, const Real* __restrict steps, Real p,
                     Real sigma, Real* __restrict dalpha, std::size_t S) {
  const Lanes centre(p), precision(1 / (sigma * sigma));
  Lanes dp(Real(0));
  for_lanes(S, [&](std::size_t j, std::size_t n) {
    const Lanes away = load(steps + j, n) - centre;
    const Lanes da = load(dy + j, n) * xsimd::exp(Lanes(Real(-0.5)) * precision * away * away);
    store(dalpha + j, da, n);
    dp += da * load(alpha + j, n) * away * precision;
  });
  return sum(dp);
}

}  // namespace

Var gaussian_window(const Var& weights, const Var& centre, Real sigma) {
  if (weights.shape().rank() != 2 || !(centre.shape() == Shape{weights.dim(0), 1}))
    throw std::invalid_argument(
        fmt::format("gaussian_window: weights {} and centre {} do not fit; (R, S), (R, 1) expected",
                    to_string(weights.shape()), to_string(centre.shape())));
  const std::size_t R = weights.dim(0), S = weights.dim(1);
  const Array j = steps(S);
  Array y({R, S});
  {
    const Real *alpha = weights.value().data(), *p = centre.value().data();
    Real* out = y.data();
    parallel_for(0, R, R * S >= parallel_from,
                 [&](std::size_t r) { window(alpha + r * S, j.data(), p[r], sigma, out + r * S, S); });
  }
  return Var("gaussian_window", y, {weights, centre}, [=](const Array& dy) {
    Array dalpha({R, S}), dp({R, 1});
    parallel_for(0, R, R * S >= parallel_from, [&](std::size_t r) {
      dp[r] = window_backward(dy.data() + r * S, weights.value().data() + r * S, j.data(), centre.value()[r], sigma,
                              dalpha.data() + r * S, S);
    });
    weights.add_grad(dalpha);
    centre.add_grad(dp);
  });
}

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
