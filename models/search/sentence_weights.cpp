#include "models/search/sentence_weights.h"

namespace softalign::models {

namespace {

// row_of returns the first `length` numbers of row `row` of x (.., S), for any number of leading axes.
std::vector<float> row_of(const Var& x, std::size_t row, std::size_t length) {
  const autograd::Real* weights = x.value().data() + row * x.shape().back();
  return {weights, weights + length};
}

}  // namespace

void append(data::AttentionWeights& weights, const BatchWeights& step, std::size_t row, std::size_t length) {
  if (step.matrix.defined()) weights.matrix.push_back(row_of(step.matrix, row, length));
  if (step.gate.defined()) weights.gate.push_back(row_of(step.gate, row, 1).front());
  std::size_t place = 0;
  for (const Heads& heads : step.heads) {
    const std::size_t K = heads.weights.dim(1);
    for (std::size_t k = 0; k < K; ++k, ++place) {
      if (place == weights.heads.size()) weights.heads.push_back({heads.layer, k, heads.kind, {}});
      weights.heads[place].matrix.push_back(row_of(heads.weights, row * K + k, length));
    }
  }
}

void append(std::vector<data::Head>& heads, const std::vector<Heads>& self_attention, std::size_t b, std::size_t B,
            std::size_t source_length, std::size_t target_length) {
  for (const Heads& layer : self_attention) {
    const std::size_t K = layer.weights.dim(1),
                      n = layer.kind == data::HeadKind::encoder_self ? source_length : target_length;
    for (std::size_t k = 0; k < K; ++k) {
      heads.push_back({layer.layer, k, layer.kind, {}});
      for (std::size_t i = 0; i < n; ++i) heads.back().matrix.push_back(row_of(layer.weights, (i * B + b) * K + k, n));
    }
  }
}

}  // namespace softalign::models
