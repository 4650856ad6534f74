#include "models/search/prediction.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "autograd/linalg/log_sum_exp.h"

namespace models {

Prediction predict(const Var& logits, const State& state, const Batch& batch, std::size_t step) {
  const Prediction prediction{logits.value(), log_sum_exp(logits.value())};
  for (std::size_t row = 0; row < prediction.normaliser.size(); ++row)
    if (!std::isfinite(prediction.normaliser[row]))
      throw std::runtime_error(fmt::format(
          "decoding: the model gives sentence {} (from 1) no probabilities at step {}: its logits are not finite; "
          "the model diverged in training or its file is damaged",
          batch.index[static_cast<std::size_t>(state.sentence[row])] + 1, step));
  return prediction;
}

}  // namespace models
