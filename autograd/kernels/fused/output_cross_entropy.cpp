#include "autograd/ops/fused.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "autograd/array.h"
#include "autograd/internal/simd.h"
#include "autograd/kernels/gemm.h"
#include "autograd/kernels/internal/shared_weights.h"
#include "autograd/ops/log_sum_exp.h"
#include "autograd/ops/reduce.h"
#include "autograd/threads/parallel_for.h"

namespace softalign::autograd::fused {
namespace {

Array gathered(const Array& x, const std::vector<std::size_t>& rows) {
  const std::size_t width = x.dim(1);
  if (rows.size() == x.dim(0)) return x;
  Array y({rows.size(), width});
  for (std::size_t i = 0; i < rows.size(); ++i) std::copy_n(x.data() + rows[i] * width, width, y.data() + i * width);
  return y;
}

// logits_backward computes p <- scale (p / total - eps / V), and then subtracts scale (1 - eps) at the target.
void logits_backward(Real* __restrict p, Real total, Real scale, std::size_t target, Real eps, std::size_t V) {
  const Lanes by(scale / total), floor(scale * eps / static_cast<Real>(V));
  for_lanes(V, [&](std::size_t v, std::size_t n) { store(p + v, by * load(p + v, n) - floor, n); });
  p[target] -= scale * (1 - eps);
}

void scale(Array& x, Real by) {
  parallel_for(0, x.size(), x.size() >= parallel_from, [&](std::size_t i) { x[i] *= by; });
}

// Output has the output layer and the rows of x that are not padding.
struct Output {
  Var W, b;
  Array x;                      // (N, E)
  std::vector<std::size_t> at;  // (N) their indices among all rows
  std::vector<std::size_t> targets;
  Real eps;
};

struct Gradients {
  Array x, W, b;
};

// output_factor prepares b for products. b is W or its transpose, and the shards of a batch share the prepared copy. A
// large layer goes to BLAS, which is faster for it.
Factor output_factor(const Var& W, const MatrixView& b, std::size_t rows) {
  constexpr std::size_t largest = std::size_t{1} << 18;
  if (W.value().size() > largest) return {b, {}};
  return shared_factor(W, b, rows).value_or(Factor{b, {}});
}

// walk computes the losses, and the gradients if d is not null. The logits (N, V) are the largest array of a training
// step, so walk computes them for some rows at a time. All parts have equal sizes, because a smaller last part would
// take memory of its own. walk fills `losses` (N). `dlosses` (N) scales the gradients; nullptr scales them by 1.
void walk(const Output& o, Real* losses, const Real* dlosses, Gradients* d) {
  constexpr std::size_t at_once = std::size_t{1} << 24;
  const std::size_t N = o.x.dim(0), E = o.x.dim(1), V = o.W.dim(1);
  const std::size_t most = std::max<std::size_t>(1, at_once / std::max<std::size_t>(V, 1));
  const std::size_t parts = (N + most - 1) / most;
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t begin = N * part / parts, end = N * (part + 1) / parts;
    const Array x = o.x.rows(begin, end);
    Array logits({end - begin, V});
    const auto row = [&](std::size_t i) { return logits.data() + (i - begin) * V; };
    parallel_for(begin, end, logits.size() >= parallel_from,
                 [&](std::size_t i) { std::copy_n(o.b.value().data(), V, row(i)); });
    gemm(matrix(x), output_factor(o.W, matrix(o.W.value()), end - begin), logits, Into::add);
    parallel_for(begin, end, logits.size() >= parallel_from, [&](std::size_t i) {
      Real* const l = row(i);
      losses[i] = -(1 - o.eps) * l[o.targets[i]];
      if (o.eps > 0) losses[i] -= o.eps * std::accumulate(l, l + V, Real(0)) / static_cast<Real>(V);
      if (!d) {
        losses[i] += log_sum_exp(l, V);
        return;
      }
      const Exponentials e = exponentiate(l, V);
      losses[i] += e.log_sum_exp();
      logits_backward(l, e.total, dlosses ? dlosses[i] : Real(1), o.targets[i], o.eps, V);
    });
    if (!d) continue;
    add_column_sums(logits, d->b);
    gemm(t(matrix(x)), matrix(logits), d->W, begin == 0 ? Into::overwrite : Into::add);
    gemm(matrix(logits), output_factor(o.W, t(matrix(o.W.value())), end - begin), d->x.data() + begin * E, E,
         Into::overwrite);
  }
}

Gradients room_for_gradients(const Output& o) { return {Array(o.x.shape()), Array(o.W.shape()), zeros(o.b.shape())}; }

// The forward pass also computes the gradients, while the logits exist, as if all losses had weight 1 (Hsu et al. 2024,
// "Liger Kernel: efficient Triton kernels for LLM training"). The backward pass only scales them. If the losses have
// different weights, the backward pass calls walk again.
Var walked(const Var& x, const Var& W, const Var& b, const Ids& targets, Real eps, Id padding) {
  Output o{W, b, {}, {}, {}, eps};
  for (std::size_t n = 0; n < targets.size(); ++n) {
    if (targets[n] == padding) continue;
    o.at.push_back(n);
    o.targets.push_back(static_cast<std::size_t>(targets[n]));
  }
  o.x = gathered(x.value().reshaped({targets.size(), W.dim(0)}), o.at);
  const std::size_t N = o.at.size();
  const bool learns = recording() && N > 0 && (x.needs_grad() || W.needs_grad() || b.needs_grad());
  // The forward pass of a model ends with this op. The backward pass packs weights differently, so the packed large
  // weights are not needed again.
  if (learns) packed_weights().forget_large();
  Gradients d = learns ? room_for_gradients(o) : Gradients{};
  std::vector<Real> row_losses(N);
  walk(o, row_losses.data(), nullptr, learns ? &d : nullptr);
  Array losses = zeros({targets.size()});
  for (std::size_t i = 0; i < N; ++i) losses[o.at[i]] = row_losses[i];

  return Var("output_cross_entropy", losses, {x, W, b}, [x, o, d](const Array& dloss) mutable {
    const std::size_t rows = o.at.size(), E = o.W.dim(0);
    if (rows == 0) return;
    std::vector<Real> weights(rows);
    for (std::size_t i = 0; i < rows; ++i) weights[i] = dloss[o.at[i]];
    const Real weight = weights.front();
    if (std::all_of(weights.begin(), weights.end(), [&](Real w) { return w == weight; })) {
      for (Array* part : {&d.x, &d.W, &d.b}) scale(*part, weight);
    } else {
      std::vector<Real> again(rows);
      d.b.fill(0);
      walk(o, again.data(), weights.data(), &d);
    }
    o.W.add_grad(d.W);
    o.b.add_grad(d.b);
    if (rows == dloss.size()) return x.add_grad(d.x.reshaped(x.shape()));
    Array dx = zeros(x.shape());
    for (std::size_t i = 0; i < rows; ++i) std::copy_n(d.x.data() + i * E, E, dx.data() + o.at[i] * E);
    x.add_grad(dx);
  });
}

}  // namespace

Var output_cross_entropy(const Var& x, const Var& W, const Var& b, const Ids& targets, Real eps, Id padding) {
  const auto fits = [&] {
    if (x.shape().rank() == 0 || W.shape().rank() != 2 || x.shape().back() != W.dim(0)) return false;
    return b.shape() == Shape{W.dim(1)} && targets.size() == matrix(x.value()).rows;
  };
  if (!fits())
    throw std::invalid_argument(
        fmt::format("output_cross_entropy: x {}, W {}, b {} and {} targets do not fit; (.., E), (E, V), (V), a target "
                    "a row expected",
                    to_string(x.shape()), to_string(W.shape()), to_string(b.shape()), targets.size()));
  for (Id y : targets)
    if (y < 0 || static_cast<std::size_t>(y) >= W.dim(1))
      throw std::invalid_argument(
          fmt::format("output_cross_entropy: target {} is outside the {} columns of W", y, W.dim(1)));
  return walked(x, W, b, targets, eps, padding);
}

}  // namespace softalign::autograd::fused
