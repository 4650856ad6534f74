// A Hypothesis is one translation that decoding found. This file also checks the prediction of a step, and defines
// which words a decoder may write and how long a translation may be. Beam search, sampling and interventions use this
// file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "data/corpus/batch.h"
#include "models/decoder.h"

namespace softalign::models {

struct Hypothesis {
  Ids ids;                            // without <s> and </s>, never <pad>; <unk> is a word
  bool finished = false;              // it ends with </s>; otherwise it reached the length limit
  double log_prob = 0;                // log p(ids, </s> | source), nats
  double score = 0;                   // search ranks hypotheses by this score; higher is better
  std::vector<double> word_log_prob;  // one per step, </s> included
  data::AttentionWeights weights;     // one row per step, over the source's S positions (with </s>, without padding)
};

// Extends a hypothesis by the word `id`, with its log probability and the attention weights in row `row` of the step.
void append(Hypothesis& h, Id id, double log_prob, const BatchWeights& step, std::size_t row,
            std::size_t source_length);

// The struct Prediction is the distribution of the next word at one decoding step.
struct Prediction {
  Array logits;      // (R, V); -infinity forbids a word
  Array normaliser;  // (R) log sum_v e^logits_v

  // Returns log p_v = logits_v - normaliser.
  double log_p(std::size_t row, Real logit) const {
    return std::min(logit - static_cast<double>(normaliser[row]), 0.0);  // rounding might say 1e-7
  }
};

// predict computes the distribution of the next word. `number` is the number of the step, from 1. Throws data::Error if
// a row of logits contains NaN or +infinity, or only -infinity. The message names the sentence and the step.
Prediction predict(const Step& step, const Memory& memory, std::size_t number);

// Returns the most probable word of a row of logits (.., V).
Id most_probable_word(const Array& logits, std::size_t row);

// greedy_matches compares each word of the target sentences with the most probable word at this position, given the
// words before it. The result is true if they are equal. Entry t*B + b of the result belongs to word t of sentence b,
// for B sentences. Entries for padding have no meaning. Throws data::Error like predict.
std::vector<bool> greedy_matches(const Decoder& decoder, const Memory& memory, const Targets& targets);

// A decoder never writes <pad> or <s>.
inline bool writable(Id id) { return id != data::pad_id && id != data::start_id; }

// Returns the largest number of words that a translation may have. This is `max_length`. If `max_length` is 0, the
// limit is twice the number of source words plus 10, but not more than `at_most` if `at_most` is not 0.
inline std::size_t length_limit(std::size_t max_length, std::size_t source_length,  // source's </s> counted
                                std::size_t at_most = 0) {
  if (max_length > 0) return max_length;
  const std::size_t by_source = 2 * (source_length - 1) + 10;
  return at_most > 0 ? std::min(by_source, at_most) : by_source;
}

}  // namespace softalign::models
