#include "models/training/hard_attention.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"

namespace models {

namespace {

using autograd::constant;

constexpr Real least_weight = Real(1e-8);  // log 0 would end the training

}  // namespace

Draw draw_places(Random& random, double share) {
  return [&random, share](const Array& alpha) {
    const std::size_t R = alpha.dim(0), S = alpha.dim(1);
    Ids places(R, -1);
    for (std::size_t r = 0; r < R; ++r) {
      if (random.uniform() >= share) continue;
      const std::vector<double> weights(alpha.data() + r * S, alpha.data() + (r + 1) * S);
      places[r] = static_cast<Id>(random.choose(weights));
    }
    return places;
  };
}

Ids largest_places(const Array& alpha) {
  Ids places;
  for (std::size_t r = 0; r < alpha.dim(0); ++r) {
    const Real* row = alpha.data() + r * alpha.dim(1);
    places.push_back(static_cast<Id>(std::max_element(row, row + alpha.dim(1)) - row));
  }
  return places;
}

Reweight hard_looks(const Draw& draw, std::vector<Glance>* glances) {
  return [draw, glances](const layers::Look& look) {
    const std::size_t R = look.weights.dim(0), K = look.weights.dim(1), S = look.weights.dim(2);
    if (K != 1) throw std::invalid_argument(fmt::format("hard attention: {} heads, but a step sees one place", K));
    const Var alpha = reshape(look.weights, {R, S});
    const Ids places = draw(alpha.value());
    Array drawn = autograd::zeros({R, S}), mean = autograd::zeros({R, 1});
    for (std::size_t r = 0; r < R; ++r) {
      if (places[r] < 0) mean[r] = 1;
      else drawn[r * S + static_cast<std::size_t>(places[r])] = 1;
    }
    if (glances) glances->push_back({alpha, places});
    return reshape(alpha * constant(mean) + constant(drawn), {R, 1, S});
  };
}

Var Reinforce::loss(const Var& losses, const std::vector<Glance>& glances) {
  const std::size_t T = glances.size(), B = losses.value().size() / std::max<std::size_t>(T, 1);
  b_.resize(std::max(b_.size(), T));
  std::vector<double> R(B);  // R_t = sum_{u >= t} log p(y_u | s)
  Var total = constant(Array::scalar(0));
  for (std::size_t t = T; t-- > 0;) {
    const auto& [alpha, places] = glances[t];
    Array gain = autograd::zeros(alpha.shape()), drew = autograd::zeros({B, 1});
    double mean = 0;
    for (std::size_t r = 0; r < B; ++r) {
      R[r] -= static_cast<double>(losses.value()[t * B + r]);
      mean += R[r] / static_cast<double>(B);
      if (places[r] < 0) continue;
      gain[r * alpha.dim(1) + static_cast<std::size_t>(places[r])] =
          static_cast<Real>(options_.reward * (R[r] - b_[t]));
      drew[r] = static_cast<Real>(options_.entropy);
    }
    const Var log_alpha = log(relu(alpha - least_weight) + least_weight);  // (B, S)
    total = total - sum((constant(gain) - constant(drew) * alpha) * log_alpha);
    b_[t] = 0.9 * b_[t] + 0.1 * mean;
  }
  return total;
}

}  // namespace models
