// Hypothesis: one translation that decoding found. It also has the checked prediction of a step, the words that may be
// written, and the length limit. Beam search, sampling and interventions share this file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "data/corpus/batch.h"
#include "models/decoder.h"

namespace softalign::models {

struct Hypothesis {
  Ids ids;                            // without <s> and </s>, never <pad>; <unk> is a word
  bool finished = false;              // wrote </s>; otherwise the length limit cut it
  double log_prob = 0;                // log p(ids, </s> | source), nats
  double score = 0;                   // what it is ranked by
  std::vector<double> word_log_prob;  // one per step, </s> included
  data::AttentionWeights weights;     // a row per step, over the source's own S places (</s> included, no padding)
};

// Takes a hypothesis one word further: `row` of the step wrote `id`.
void append(Hypothesis& h, Id id, double log_prob, const BatchWeights& step, std::size_t row,
            std::size_t source_length);

// The distribution of the next word in one decoding step.
struct Prediction {
  Array logits;      // (R, V); -infinity forbids a word
  Array normaliser;  // (R) log sum_v e^logits_v

  // log p_v = logits_v - normaliser
  double log_p(std::size_t row, Real logit) const {
    return std::min(logit - static_cast<double>(normaliser[row]), 0.0);  // rounding might say 1e-7
  }
};

// `number` is the number of the step, from 1. data::Error, which names sentence and step, if a row of logits contains
// NaN or +infinity, or only -infinity.
Prediction predict(const Step& step, const Memory& memory, std::size_t number);

// Greedy match: whether each known target word is the most probable one after the words before it. The result has rows
// t*B + b of the targets. Values for padding have no meaning. data::Error as above.
std::vector<bool> greedy_matches(const Decoder& decoder, const Memory& memory, const Targets& targets);

// <pad> and <s> are never written.
inline bool writable(Id id) { return id != data::pad_id && id != data::start_id; }

// The most words of a translation: `max_length`, or, if that is 0, twice the words of its source plus 10; but at most
// `at_most`, if that is not 0.
inline std::size_t length_limit(std::size_t max_length, std::size_t source_length,  // source's </s> counted
                                std::size_t at_most = 0) {
  if (max_length > 0) return max_length;
  const std::size_t by_source = 2 * (source_length - 1) + 10;
  return at_most > 0 ? std::min(by_source, at_most) : by_source;
}

}  // namespace softalign::models
