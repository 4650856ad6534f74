#include "models/search/hypothesis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "autograd/ops/log_sum_exp.h"
#include "data/io/error.h"
#include "models/search/sentence_weights.h"

namespace softalign::models {

void append(Hypothesis& h, Id id, double log_prob, const BatchWeights& step, std::size_t row,
            std::size_t source_length) {
  h.finished = id == data::end_id;
  if (!h.finished) h.ids.push_back(id);
  h.word_log_prob.push_back(log_prob);
  h.log_prob += log_prob;
  append(h.weights, step, row, source_length);
}

Prediction predict(const Step& step, const Memory& memory, std::size_t number) {
  const Prediction prediction{step.logits.value(), log_sum_exp(step.logits.value())};
  for (std::size_t row = 0; row < prediction.normaliser.size(); ++row) {
    if (std::isfinite(prediction.normaliser[row])) continue;
    const auto b = static_cast<std::size_t>(step.state.sentence.at(row));
    throw data::Error(
        data::ErrorKind::damaged_file,
        fmt::format("decoding: sentence {} (counted from 1) has no probabilities at step {}, because the model "
                    "computes NaN or infinity. Its training diverged, or its file is damaged. Train again",
                    (memory.index.empty() ? b : memory.index[b]) + 1, number));
  }
  return prediction;
}

Id most_probable_word(const Array& logits, std::size_t row) {
  const std::size_t V = logits.dim(logits.rank() - 1);
  const auto logit = [&](Id id) { return logits[row * V + static_cast<std::size_t>(id)]; };
  Id best = data::end_id;
  for (Id id = 0; id < static_cast<Id>(V); ++id)
    if (writable(id) && logit(id) > logit(best)) best = id;
  return best;
}

std::vector<bool> greedy_matches(const Decoder& decoder, const Memory& memory, const Targets& targets) {
  const std::size_t B = memory.size();
  std::vector<bool> all;
  State state = decoder.start(memory);
  for (std::size_t t = 0; t < targets.steps; ++t) {
    const auto first = targets.in.begin() + static_cast<std::ptrdiff_t>(t * B);
    const Step step = decoder.step({first, first + static_cast<std::ptrdiff_t>(B)}, state, memory);
    const Array logits = predict(step, memory, t + 1).logits;  // (B, V)
    for (std::size_t b = 0; b < B; ++b) all.push_back(most_probable_word(logits, b) == targets.out[t * B + b]);
    state = step.state;
  }
  return all;
}

}  // namespace softalign::models
