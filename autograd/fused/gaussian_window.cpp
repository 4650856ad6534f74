#include <fmt/format.h>

#include <numeric>
#include <stdexcept>

#include "autograd/fused/gaussian_window.h"
#include "autograd/linalg/internal/simd.h"
#include "autograd/storage/parallel_for.h"

namespace softalign::autograd::fused {
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

// dalpha = dy exp(..), and dp as the result.
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

}  // namespace softalign::autograd::fused
