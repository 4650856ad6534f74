#include "layers/transformer/norm_based_analysis.h"

#include <algorithm>
#include <cmath>

#include "autograd/var.h"

namespace softalign::layers {

using autograd::Array;
using autograd::Real;

NormBasedWeights::NormBasedWeights(const MultiHead& attention, const Var& values) {
  const autograd::NoGrad no_grad;
  const std::size_t S = values.dim(0), B = values.dim(1), d = values.dim(2), K = attention.K, width = d / K;
  std::vector<Var> made;  // v^k W_O^k  (S*B, d)
  for (std::size_t k = 0; k < K; ++k) {
    const Var v = reshape(slice(values, 2, k * width, (k + 1) * width), {S * B, width});
    made.push_back(matmul(v, slice(attention.output.W, 0, k * width, (k + 1) * width)));
  }
  G_ = autograd::zeros({B, K, K, S});
  for (std::size_t b = 0; b < B; ++b)
    for (std::size_t k = 0; k < K; ++k)
      for (std::size_t l = 0; l <= k; ++l)
        for (std::size_t s = 0; s < S; ++s) {
          const Real *x = made[k].value().data() + (s * B + b) * d, *y = made[l].value().data() + (s * B + b) * d;
          Real product = 0;
#pragma omp simd reduction(+ : product)
          for (std::size_t i = 0; i < d; ++i) product += x[i] * y[i];
          G_[((b * K + k) * K + l) * S + s] = G_[((b * K + l) * K + k) * S + s] = product;
        }
}

Var NormBasedWeights::operator()(const Var& weights, const Ids& sentence) const {
  const std::size_t rows = weights.dim(0), K = weights.dim(1), S = weights.dim(2);
  Array n = autograd::zeros({rows, S});
  for (std::size_t r = 0; r < rows; ++r) {
    const Real *a = weights.value().data() + r * K * S,
               *G = G_.data() + static_cast<std::size_t>(sentence[r % sentence.size()]) * K * K * S;
    Real* const row = n.data() + r * S;
    for (std::size_t k = 0; k < K; ++k)
      for (std::size_t l = 0; l < K; ++l)
        for (std::size_t s = 0; s < S; ++s) row[s] += a[k * S + s] * a[l * S + s] * G[(k * K + l) * S + s];
    Real sum = 0;
    for (std::size_t s = 0; s < S; ++s) sum += row[s] = std::sqrt(std::max(row[s], Real(0)));
    for (std::size_t s = 0; s < S && sum > 0; ++s) row[s] /= sum;
  }
  return autograd::constant(std::move(n));
}

}  // namespace softalign::layers
