#include "layers/fast_weights/fast_weight_self_attention.h"

#include "autograd/ops/elementwise.h"
#include "layers/fast_weights/fast_weights.h"
#include "layers/fast_weights/linear_attention.h"

namespace softalign::layers {

FastWeightSelfAttention::FastWeightSelfAttention(const Params& p, std::size_t d, std::size_t heads, Rule rule,
                                                 const InitialiserConfig& init)
    : heads_(p, d, heads, init) {
  if (rule == Rule::delta) beta_.emplace(p / "beta", d, heads, init.input(1));
}

FastWeightSelfAttention::Projected FastWeightSelfAttention::projected(const Var& x,
                                                                      const std::vector<std::size_t>& lengths) const {
  const std::size_t K = heads_.K;
  const auto [k, v] = heads_.keys(x);
  const FeatureMap map = beta_ ? FeatureMap::dpfp : FeatureMap::elu_plus_one;
  const Var phi_q = features(map, heads_.query(x), K), phi_k = features(map, k, K, lengths);
  if (!beta_) return {phi_q, phi_k, v, {}};
  return {unit_sum(phi_q, K), unit_sum(phi_k, K), v, sigmoid((*beta_)(x))};
}

AttentionOutput FastWeightSelfAttention::operator()(const Var& x, const Mask& mask,
                                                    ReturnWeights return_weights) const {
  const std::size_t K = heads_.K;
  const Projected p = projected(x, mask.lengths);
  if (beta_) return {heads_.output(fast_weights_delta(p.q, p.k, p.v, p.beta, K)), {}};
  const Order order = mask.causal ? Order::causal : Order::any;
  return {heads_.output(linear_attention(order, p.q, p.k, p.v, K)),
          return_weights == ReturnWeights::yes ? linear_weights(order, p.q, p.k, K) : Var()};
}

SelfAttentionStep FastWeightSelfAttention::step(const Var& x, std::size_t, const KVCache& cache) const {
  const std::size_t K = heads_.K, R = x.dim(1);
  const Projected p = projected(x, {});
  const Var q = at(p.q, 0), k = at(p.k, 0), v = at(p.v, 0);
  const std::size_t m = q.dim(1) / K, columns = v.dim(1) / K + (beta_ ? 0 : 1);
  const Var W =
      cache.weights.defined() ? reshape(cache.weights, {R * K, m, columns}) : no_fast_weights(R, K, m, columns);
  const auto after = [&](const Var& y, const Var& weights) {
    return SelfAttentionStep{{heads_.output(reshape(y, {1, R, y.dim(1)})), {}},
                             {.keys = {}, .values = {}, .weights = reshape(weights, {R, K, m, columns})}};
  };
  if (beta_) {
    const FastStep s = delta_step(W, q, k, v, at(p.beta, 0), K);
    return after(s.y, s.W);
  }
  const LinearStep s = linear_step(W, q, k, v, K);
  return after(s.y, s.sums);
}

}  // namespace softalign::layers
