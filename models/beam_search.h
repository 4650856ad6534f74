// Beam search over any Seq2Seq, many sentences at once. Greedy search is a beam of one.
#pragma once

#include <cstddef>
#include <vector>

#include "models/seq2seq.h"

namespace models {

struct BeamOptions {
  std::size_t beam = 1;           // hypotheses kept per sentence
  std::size_t n_best = 1;         // hypotheses returned per sentence, at most `beam`
  double length_penalty = 1;      // alpha: finished hypotheses are ranked by log p / length^alpha, </s> counted
  std::size_t max_length = 0;     // words a translation may have; 0: twice its source's words plus 10
};

struct Hypothesis {
  Ids ids;                                  // without <s> and </s>
  bool finished = false;                    // wrote </s> before the length limit
  double log_prob = 0;                      // sum over words and </s>, nats
  double score = 0;                         // log_prob / length^alpha
  std::vector<double> word_log_prob;        // one per step, </s> included
  std::vector<std::vector<Real>> attention;  // one row per step, over the sentence's own S steps (</s> included, no padding)
};

// For each sentence of the batch its n best hypotheses, best first, all distinct.
// std::invalid_argument if beam is 0 or n_best exceeds it.
std::vector<std::vector<Hypothesis>> beam_search(const Seq2Seq& model, const Batch& batch, const BeamOptions& options);

}  // namespace models
