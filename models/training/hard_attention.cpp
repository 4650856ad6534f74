#include "models/training/hard_attention.h"

#include <algorithm>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "data/corpus/batch.h"
#include "models/training/log_weights.h"

namespace softalign::models {

namespace {

using autograd::constant;

constexpr double soft_part = 1. / 3;  // the part of a training that uses only soft attention

}  // namespace

Rewards& Rewards::operator+=(const Rewards& other) {
  const std::size_t T = std::max(sums.size(), other.sums.size());
  sums.resize(T), captions.resize(T);
  for (std::size_t t = 0; t < other.sums.size(); ++t) sums[t] += other.sums[t], captions[t] += other.captions[t];
  return *this;
}

double sampled_fraction(double done) { return done <= soft_part ? 0 : 0.5; }

layers::Draw sample_positions(Random& random, double fraction) {
  return [&random, fraction](const Array& alpha) {
    const std::size_t R = alpha.dim(0), S = alpha.dim(1);
    Ids places(R, -1);
    for (std::size_t r = 0; r < R; ++r) {
      if (random.uniform() >= fraction) continue;
      const std::vector<double> weights(alpha.data() + r * S, alpha.data() + (r + 1) * S);
      places[r] = static_cast<Id>(random.choose(weights));
    }
    return places;
  };
}

TeacherForced teacher_forced_with_hard_attention(const Decoder& decoder, const Memory& memory, const Targets& targets,
                                                 const Training& training, const HardAttention& hard,
                                                 std::vector<layers::SampledAttention>& sampled) {
  Random stream = training.random.split("looks");
  return decoder.with_attention_hook(layers::hard_attention_hook(sample_positions(stream, hard.fraction), &sampled))
      ->teacher_forced(memory, targets, &training);
}

Var reinforcement(const Var& losses, const Ids& words, const std::vector<layers::SampledAttention>& sampled,
                  const HardAttention& hard, Rewards& rewards) {
  const std::size_t T = sampled.size(), B = words.size() / std::max<std::size_t>(T, 1);
  rewards.sums.assign(T, 0), rewards.captions.assign(T, 0);
  std::vector<double> R(B);  // R_t = sum_{u >= t} log p(y_u | s)
  Var total = constant(Array::scalar(0));
  for (std::size_t t = T; t-- > 0;) {
    const auto& [alpha, places] = sampled[t];
    const double b = t < hard.baseline.size() ? static_cast<double>(hard.baseline[t]) : 0;
    Array gain = autograd::zeros(alpha.shape()), entropy_weight = autograd::zeros({B, 1});
    for (std::size_t r = 0; r < B; ++r) {
      if (words[t * B + r] == data::pad_id) continue;
      R[r] -= static_cast<double>(losses.value()[t * B + r]);
      rewards.sums[t] += R[r], ++rewards.captions[t];
      if (places[r] < 0) continue;
      gain[r * alpha.dim(1) + static_cast<std::size_t>(places[r])] = static_cast<Real>(hard.reward * (R[r] - b));
      entropy_weight[r] = static_cast<Real>(hard.entropy);
    }
    total = total - sum((constant(gain) - constant(entropy_weight) * alpha) * log_weights(alpha));  // (B, S)
  }
  return total;
}

void follow(Array& baseline, const Rewards& rewards) {
  for (std::size_t t = 0; t < std::min(baseline.size(), rewards.sums.size()); ++t) {
    if (rewards.captions[t] == 0) continue;
    const double mean = rewards.sums[t] / rewards.captions[t];
    baseline[t] = static_cast<Real>(0.9 * static_cast<double>(baseline[t]) + 0.1 * mean);
  }
}

}  // namespace softalign::models
