#include "models/batch_weights.h"

#include "autograd/ops/shape.h"

namespace softalign::models {

BatchWeights weights_of(const layers::AttentionOutput& attended, const Var& gate) {
  BatchWeights weights{.matrix = layers::mean_over_heads(attended.weights), .gate = gate};
  if (attended.weights.dim(1) > 1) weights.heads = {{.weights = attended.weights}};
  return weights;
}

BatchWeights concat(const std::vector<BatchWeights>& steps) {
  BatchWeights weights;
  if (steps.empty() || !steps.front().matrix.defined()) return weights;
  const auto below_each_other = [&](const auto& part_of) {
    std::vector<Var> parts;
    for (const BatchWeights& step : steps) parts.push_back(part_of(step));
    return autograd::concat(parts, 0);
  };
  weights.matrix = below_each_other([](const BatchWeights& step) { return step.matrix; });
  if (steps.front().gate.defined()) weights.gate = below_each_other([](const BatchWeights& step) { return step.gate; });
  for (std::size_t i = 0; i < steps.front().heads.size(); ++i) {
    weights.heads.push_back(steps.front().heads[i]);
    weights.heads.back().weights = below_each_other([i](const BatchWeights& step) { return step.heads[i].weights; });
  }
  return weights;
}

}  // namespace softalign::models
