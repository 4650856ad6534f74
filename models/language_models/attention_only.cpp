#include "models/language_models/attention_only.h"

#include <cmath>
#include <string>

#include "autograd/ops/elementwise.h"
#include "layers/attention/multi_head.h"

namespace softalign::models {

AttentionOnly::AttentionOnly(const Options& o, const autograd::Params& p)
    : K_(o.heads),
      d_k_(layers::size_of_head(o.width, o.heads)),
      words_(p / "words", o.words, o.width, layers::normal(1)) {
  for (std::size_t l = 0; l < o.layers; ++l) {
    const autograd::Params of_layer = p / std::to_string(l);
    const auto matrix = [&](const char* name) {
      return of_layer.declare(name, {o.width, o.width}, initialiser_.attention);
    };
    layers_.push_back({matrix("W_Q"), matrix("W_K"), matrix("W_V"), matrix("W_O")});
  }
  W_U_ = p.declare("W_U", {o.width, o.words}, initialiser_.input(1));
}

AttentionOnly::Output AttentionOnly::operator()(const Ids& words, std::size_t B) const {
  Var x = words_(words, B);  // (T, B, d)
  const std::size_t T = x.dim(0), d = x.dim(2);
  const Var P = constant(layers::sinusoids(0, T, d).reshaped({T, 1, d}));
  Output output;
  for (const Layer& layer : layers_) {
    const Var placed = x + P;
    const layers::AttentionOutput attended =
        layers::attention(matmul(placed, layer.W_Q), matmul(placed, layer.W_K), matmul(x, layer.W_V), K_,
                          {.causal = true}, layers::ReturnWeights::yes);
    output.weights.push_back(attended.weights);
    x = x + matmul(attended.context, layer.W_O);
  }
  output.logits = matmul(x, W_U_);
  return output;
}

Var AttentionOnly::columns(const Var& W, std::size_t head) const { return slice(W, 1, head * d_k_, (head + 1) * d_k_); }

Var AttentionOnly::written(std::size_t layer, std::size_t head) const {
  const Layer& l = layers_.at(layer);
  return matmul(matmul(words_.E, columns(l.W_V, head)), slice(l.W_O, 0, head * d_k_, (head + 1) * d_k_));
}

Array AttentionOnly::direct_path() const {
  const autograd::NoGrad no_grad;
  return matmul(words_.E, W_U_).value();
}

Array AttentionOnly::ov_circuit(std::size_t layer, std::size_t head) const {
  const autograd::NoGrad no_grad;
  return matmul(written(layer, head), W_U_).value();
}

Array AttentionOnly::qk_circuit(std::size_t layer, std::size_t head) const {
  const autograd::NoGrad no_grad;
  const Layer& l = layers_.at(layer);
  const Var q = matmul(words_.E, columns(l.W_Q, head)), k = matmul(words_.E, columns(l.W_K, head));
  return (matmul_transposed(q, k) * (1 / std::sqrt(static_cast<autograd::Real>(d_k_)))).value();
}

Array AttentionOnly::k_composition(std::size_t head, std::size_t previous) const {
  const autograd::NoGrad no_grad;
  const Layer& l = layers_.at(1);
  const Var q = matmul(words_.E, columns(l.W_Q, head)), k = matmul(written(0, previous), columns(l.W_K, head));
  return (matmul_transposed(q, k) * (1 / std::sqrt(static_cast<autograd::Real>(d_k_)))).value();
}

}  // namespace softalign::models
