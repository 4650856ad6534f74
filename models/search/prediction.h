// Prediction: what a decoding step says of the next word, checked.
#pragma once

#include <algorithm>
#include <cstddef>

#include "models/seq2seq.h"

namespace models {

using autograd::Id;

struct Prediction {
  Array logits;      // (R, V); -infinity forbids a word
  Array normaliser;  // (R) log sum_v e^logits_v

  // log p_v = logits_v - normaliser
  double log_p(std::size_t row, Real logit) const {
    return std::min(logit - static_cast<double>(normaliser[row]), 0.0);  // rounding might say 1e-7
  }
};

// `step` counts from 1, `state` is what the step started from. std::runtime_error naming sentence and step: a row's
// logits are NaN, +infinity, or -infinity alone.
Prediction predict(const Var& logits, const State& state, const Batch& batch, std::size_t step);

// <pad> and <s> are never written.
inline bool writable(Id id) { return id != data::pad_id && id != data::start_id; }

// The most words that a translation may have: `max_length`, or if that is 0 twice its source's words and 10.
inline std::size_t length_limit(std::size_t max_length, std::size_t source_length) {  // source's </s> counted
  return max_length > 0 ? max_length : 2 * (source_length - 1) + 10;
}

}  // namespace models
