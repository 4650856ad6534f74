#include "autograd/fused/output_cross_entropy.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "autograd/gemm.h"
#include "autograd/kernels.h"
#include "autograd/log_sum_exp.h"
#include "autograd/ops/broadcast.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/matmul.h"
#include "autograd/simd.h"

namespace autograd::inline SOFTALIGN_PRECISION {
namespace {

Var composed(const Var& x, const Var& W, const Var& b, const Ids& targets, Real eps, Id padding) {
  return cross_entropy(affine(x, W, b), targets, {eps, padding});
}

// l <- dloss (e^(l - lse) - eps / V), then the target's share
void logits_backward(Real* __restrict l, Real lse, Real dloss, std::size_t target, Real eps, std::size_t V) {
  const Lanes scale(dloss), shift(lse), floor(eps / static_cast<Real>(V));
  for_lanes(V, [&](std::size_t v, std::size_t n) { store(l + v, scale * (xsimd::exp(load(l + v, n) - shift) - floor), n); });
  l[target] -= dloss * (1 - eps);
}

Array gathered(const Array& x, const std::vector<std::size_t>& rows) {
  const std::size_t width = x.dim(1);
  if (rows.size() == x.dim(0)) return x;
  Array y({rows.size(), width});
  for (std::size_t i = 0; i < rows.size(); ++i) std::copy_n(x.data() + rows[i] * width, width, y.data() + i * width);
  return y;
}

Var fused(const Var& x, const Var& W, const Var& b, const Ids& targets, Real eps, Id padding) {
  const std::size_t V = W.dim(1), E = x.dim(1);
  std::vector<std::size_t> words;  // the rows that are not padding
  for (std::size_t n = 0; n < targets.size(); ++n)
    if (targets[n] != padding) words.push_back(n);

  const Array input = gathered(x.value(), words);
  Array logits({words.size(), V}), lse({words.size()}), losses = zeros({targets.size()});
#pragma omp parallel for schedule(static) if (logits.size() >= parallel_from)
  for (std::size_t i = 0; i < words.size(); ++i) std::copy_n(b.value().data(), V, logits.data() + i * V);
  gemm(matrix(input), matrix(W.value()), logits, Into::add);
#pragma omp parallel for schedule(static) if (logits.size() >= parallel_from)
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Real* l = logits.data() + i * V;
    lse[i] = log_sum_exp(l, V);
    losses[words[i]] = lse[i] - (1 - eps) * l[targets[words[i]]];
    if (eps > 0) losses[words[i]] -= eps * std::accumulate(l, l + V, Real(0)) / static_cast<Real>(V);
  }

  return Var("output_cross_entropy", losses, {x, W, b}, [=](const Array& dloss, const Array&) mutable {
#pragma omp parallel for schedule(static) if (logits.size() >= parallel_from)
    for (std::size_t i = 0; i < words.size(); ++i)
      logits_backward(logits.data() + i * V, lse[i], dloss[words[i]], static_cast<std::size_t>(targets[words[i]]), eps, V);
    if (b.needs_grad()) add_column_sums(logits, b.zeroed_grad());
    if (W.needs_grad()) {
      Var::GradSlot dW = W.grad_slot();
      gemm(t(matrix(input)), matrix(logits), dW.array, dW.fresh ? Into::overwrite : Into::add);
    }
    if (x.needs_grad()) {
      Array dinput({words.size(), E});
      gemm(matrix(logits), t(matrix(W.value())), dinput, Into::overwrite);
      if (words.size() == targets.size()) return x.add_grad(dinput);
      Array dx = zeros(x.shape());
      for (std::size_t i = 0; i < words.size(); ++i) std::copy_n(dinput.data() + i * E, E, dx.data() + words[i] * E);
      x.add_grad(dx);
    }
  });
}

}  // namespace

Var output_cross_entropy(const Var& x, const Var& W, const Var& b, const Ids& targets, Real eps, Id padding) {
  const auto fits = [&] {
    if (x.shape().rank() != 2 || W.shape().rank() != 2 || x.dim(1) != W.dim(0)) return false;
    return b.shape() == Shape{W.dim(1)} && targets.size() == x.dim(0);
  };
  if (!fits())
    throw std::invalid_argument(fmt::format(
        "output_cross_entropy: x {}, W {}, b {} and {} targets do not fit; (N, E), (E, V), (V), N expected",
        to_string(x.shape()), to_string(W.shape()), to_string(b.shape()), targets.size()));
  for (Id y : targets)
    if (y < 0 || static_cast<std::size_t>(y) >= W.dim(1))
      throw std::invalid_argument(fmt::format("output_cross_entropy: target {} is outside the {} columns of W", y, W.dim(1)));
  return dispatch<FusedOp::output_cross_entropy>([&] { return fused(x, W, b, targets, eps, padding); },
                                                 [&] { return composed(x, W, b, targets, eps, padding); });
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
