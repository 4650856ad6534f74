#include "models/search/prediction.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "autograd/linalg/log_sum_exp.h"

namespace models {

Prediction predict(const Step& step, const Memory& memory, std::size_t number) {
  const Prediction prediction{step.logits.value(), log_sum_exp(step.logits.value())};
  for (std::size_t row = 0; row < prediction.normaliser.size(); ++row) {
    if (std::isfinite(prediction.normaliser[row])) continue;
    const auto b = static_cast<std::size_t>(step.state.sentence.at(row));
    throw std::runtime_error(fmt::format(
        "decoding: the model gives sentence {} (from 1) no probabilities at step {}: its logits are not finite; "
        "the model diverged in training or its file is damaged",
        (memory.index.empty() ? b : memory.index[b]) + 1, number));
  }
  return prediction;
}

}  // namespace models
