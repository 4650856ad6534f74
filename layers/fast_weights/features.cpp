#include "layers/fast_weights/features.h"

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "layers/word_mask.h"

namespace softalign::layers {

namespace {

Var elu_plus_one(const Var& x) { return relu(x) + exp(minimum(x, constant(autograd::zeros({1})))); }

Var dpfp(const Var& x, std::size_t nu) {  // (T, B, K, d) -> (T, B, K, 2d nu)
  const Var r = autograd::concat({relu(x), relu(-x)}, 3);
  const std::size_t n = r.dim(3);
  std::vector<Var> parts;
  for (std::size_t i = 1; i <= nu; ++i)
    parts.push_back(r * autograd::concat({slice(r, 3, i % n, n), slice(r, 3, 0, i % n)}, 3));  // r_j r_{j+i}
  return concat(parts, 3);
}

}  // namespace

Var features(FeatureMap map, const Var& x, std::size_t K, const std::vector<std::size_t>& lengths, std::size_t nu) {
  const std::size_t T = x.dim(0), B = x.dim(1);
  Var phi = x;
  if (map == FeatureMap::elu_plus_one) phi = elu_plus_one(x);
  if (map == FeatureMap::dpfp) phi = reshape(dpfp(reshape(x, {T, B, K, x.dim(2) / K}), nu), {T, B, 2 * nu * x.dim(2)});
  return lengths.empty() ? phi : phi * constant(word_mask(T, lengths));
}

Var unit_sum(const Var& phi, std::size_t K) {
  const Var heads = reshape(phi, {phi.dim(0), phi.dim(1), K, phi.dim(2) / K});
  return reshape(heads / (sum(heads, {3}, autograd::Keep::yes) + Real(1e-6)), phi.shape());
}

}  // namespace softalign::layers
