#include "models/fast_weights/associative_recall.h"

#include "autograd/ops/elementwise.h"
#include "layers/attention/scaled_dot_product.h"
#include "layers/fast_weights/fast_weights.h"
#include "layers/fast_weights/linear_attention.h"

namespace softalign::models {

AssociativeRecall::AssociativeRecall(const Options& o, const autograd::Params& p)
    : options_(o),
      keys_(p / "keys", o.keys, o.width, layers::normal(1)),
      values_(p / "values", o.values, o.width, layers::normal(1)),
      W_q_(p.declare("W_q", {o.width, o.key_width}, initialiser_.input(1))),
      W_k_(p.declare("W_k", {o.width, o.key_width}, initialiser_.input(1))),
      W_v_(p.declare("W_v", {2 * o.width, o.width}, initialiser_.input(1))),
      output_(p / "output", o.width, o.values, initialiser_.input(1)) {
  if (o.memory == Memory::delta) beta_.emplace(p / "beta", 2 * o.width, 1, initialiser_.input(1));
}

AssociativeRecall::Output AssociativeRecall::operator()(const Ids& keys, const Ids& values, const Ids& asked) const {
  const std::size_t B = asked.size();
  const Var E_k = keys_(keys, B);                                      // (n, B, d)
  const Var pair = autograd::concat({E_k, values_(values, B)}, 2);     // (n, B, 2d)
  const Var k = matmul(E_k, W_k_), q = matmul(keys_(asked, B), W_q_);  // (n, B, d_k)  (1, B, d_k)
  const Var v = matmul(pair, W_v_);                                    // (n, B, d)
  if (options_.memory == Memory::softmax || options_.memory == Memory::linear) {
    const layers::AttentionOutput attended = look(q, k, v);
    return {output_(at(attended.context, 0)), attended.weights};
  }
  return {output_(written(q, k, v, beta_ ? sigmoid((*beta_)(pair)) : Var())), {}};
}

layers::AttentionOutput AssociativeRecall::look(const Var& q, const Var& k, const Var& v) const {
  if (options_.memory == Memory::softmax) return layers::attention(q, k, v, 1, {});
  const Var phi_q = layers::features(options_.map, q, 1), phi_k = layers::features(options_.map, k, 1);
  return {layers::linear_attention(layers::Order::any, phi_q, phi_k, v, 1),
          layers::linear_weights(layers::Order::any, phi_q, phi_k, 1)};
}

Var AssociativeRecall::written(const Var& q, const Var& k, const Var& v, const Var& beta) const {
  const std::size_t n = k.dim(0), B = k.dim(1);
  const auto phi = [&](const Var& x) { return layers::unit_sum(layers::features(options_.map, x, 1), 1); };
  const auto nothing = [&](std::size_t steps, std::size_t width) {
    return autograd::constant(autograd::zeros({steps, B, width}));
  };
  const Var phi_q = phi(q), phi_k = phi(k);
  const std::size_t m = phi_k.dim(2), d = v.dim(2);
  const Var reads = autograd::concat({nothing(n, m), phi_q}, 0);  // (n + 1, B, m)
  const Var writes = autograd::concat({phi_k, nothing(1, m)}, 0);
  const Var contents = autograd::concat({v, nothing(1, d)}, 0);
  const Var y =
      options_.memory == Memory::sum
          ? layers::fast_weights_sum(reads, writes, contents, 1)
          : layers::fast_weights_delta(reads, writes, contents, autograd::concat({beta, nothing(1, 1)}, 0), 1);
  return at(y, n);
}

}  // namespace softalign::models
