#include "models/weights.h"

#include "autograd/ops/shape.h"

namespace softalign::models {

namespace {

// Row `row` of x (.., S), whatever axes lead.
std::vector<float> row_of(const Var& x, std::size_t row, std::size_t length) {
  const autograd::Real* weights = x.value().data() + row * x.shape().back();
  return {weights, weights + length};
}

}  // namespace

Weights weights_of(const layers::AttentionOutput& attended, const Var& gate) {
  Weights weights{.alignment = layers::mean_over_heads(attended.weights), .gate = gate};
  if (attended.weights.dim(1) > 1) weights.heads = {{.weights = attended.weights}};
  return weights;
}

Weights concat(const std::vector<Weights>& steps) {
  Weights all;
  if (steps.empty() || !steps.front().alignment.defined()) return all;
  const auto below_each_other = [&](const auto& part_of) {
    std::vector<Var> parts;
    for (const Weights& step : steps) parts.push_back(part_of(step));
    return autograd::concat(parts, 0);
  };
  all.alignment = below_each_other([](const Weights& step) { return step.alignment; });
  if (steps.front().gate.defined()) all.gate = below_each_other([](const Weights& step) { return step.gate; });
  for (std::size_t i = 0; i < steps.front().heads.size(); ++i) {
    all.heads.push_back(steps.front().heads[i]);
    all.heads.back().weights = below_each_other([i](const Weights& step) { return step.heads[i].weights; });
  }
  return all;
}

void append(data::Weights& sentence, const Weights& step, std::size_t row, std::size_t length) {
  if (step.alignment.defined()) sentence.matrix.push_back(row_of(step.alignment, row, length));
  if (step.gate.defined()) sentence.gate.push_back(row_of(step.gate, row, 1).front());
  std::size_t place = 0;
  for (const Heads& heads : step.heads) {
    const std::size_t K = heads.weights.dim(1);
    for (std::size_t k = 0; k < K; ++k, ++place) {
      if (place == sentence.heads.size()) sentence.heads.push_back({heads.layer, k, heads.kind, {}});
      sentence.heads[place].matrix.push_back(row_of(heads.weights, row * K + k, length));
    }
  }
}

void append(std::vector<data::Head>& sentence, const std::vector<Heads>& self_attention, std::size_t b, std::size_t B,
            std::size_t source_length, std::size_t target_length) {
  for (const Heads& heads : self_attention) {
    const std::size_t K = heads.weights.dim(1), n = heads.kind == "encoder-self" ? source_length : target_length;
    for (std::size_t k = 0; k < K; ++k) {
      sentence.push_back({heads.layer, k, heads.kind, {}});
      for (std::size_t i = 0; i < n; ++i)
        sentence.back().matrix.push_back(row_of(heads.weights, (i * B + b) * K + k, n));
    }
  }
}

}  // namespace softalign::models
