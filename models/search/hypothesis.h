// A Hypothesis is one translation that decoding found. This file also has the checked prediction of a step, the words
// that may be written, and the length limit. Beam search, sampling and interventions share this file. docs/notation.md
// explains the letters.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "data/corpus/batch.h"
#include "models/decoder.h"

namespace softalign::models {

struct Hypothesis {
  Ids ids;                            // without <s> and </s>, never <pad>; <unk> is a word
  bool finished = false;              // it ends with </s>; otherwise the length limit ended it
  double log_prob = 0;                // log p(ids, </s> | source), nats
  double score = 0;                   // hypotheses are ranked by it; higher is better
  std::vector<double> word_log_prob;  // one per step, </s> included
  data::AttentionWeights weights;     // one row per step, over the source's S positions (with </s>, without padding)
};

// Extends a hypothesis by one word: `row` of the step wrote `id`.
void append(Hypothesis& h, Id id, double log_prob, const BatchWeights& step, std::size_t row,
            std::size_t source_length);

// Prediction is the distribution of the next word in one decoding step.
struct Prediction {
  Array logits;      // (R, V); -infinity forbids a word
  Array normaliser;  // (R) log sum_v e^logits_v

  // Returns log p_v = logits_v - normaliser.
  double log_p(std::size_t row, Real logit) const {
    return std::min(logit - static_cast<double>(normaliser[row]), 0.0);  // rounding might say 1e-7
  }
};

// `number` is the number of the step, from 1. Throws data::Error if a row of logits contains NaN or +infinity, or only
// -infinity. The message names the sentence and the step.
Prediction predict(const Step& step, const Memory& memory, std::size_t number);

// Greedy match: says for each known target word whether it is the most probable word after the words before it. The
// result has rows t*B + b of the targets. Values for padding have no meaning. Throws data::Error like predict.
std::vector<bool> greedy_matches(const Decoder& decoder, const Memory& memory, const Targets& targets);

// A decoder never writes <pad> or <s>.
inline bool writable(Id id) { return id != data::pad_id && id != data::start_id; }

// Returns the most words that a translation may have. This is `max_length`. If that is 0, it is twice the number of
// words of the source plus 10. If `at_most` is not 0, the result is at most `at_most`.
inline std::size_t length_limit(std::size_t max_length, std::size_t source_length,  // source's </s> counted
                                std::size_t at_most = 0) {
  if (max_length > 0) return max_length;
  const std::size_t by_source = 2 * (source_length - 1) + 10;
  return at_most > 0 ? std::min(by_source, at_most) : by_source;
}

}  // namespace softalign::models
