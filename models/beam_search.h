// Beam search over any Seq2Seq, many sentences at once. Greedy search is a beam of one.
#pragma once

#include <cstddef>
#include <vector>

#include "models/seq2seq.h"

namespace models {

struct BeamOptions {
  std::size_t beam = 1;        // hypotheses kept per sentence
  std::size_t n_best = 1;      // hypotheses returned per sentence, at most `beam`
  double length_penalty = 1;   // alpha >= 0: hypotheses are ranked by log p / length^alpha, </s> counted
  std::size_t max_length = 0;  // words a translation may have; 0: twice its source's words plus 10
};

struct Hypothesis {
  Ids ids;                            // without <s> and </s>, never <pad>; <unk> is a word
  bool finished = false;              // wrote </s>; otherwise the length limit cut it
  double log_prob = 0;                // sum over words and </s>, nats
  double score = 0;                   // log_prob / length^alpha
  std::vector<double> word_log_prob;  // one per step, </s> included
  // One row per step, over the sentence's own S steps (</s> included, no padding); empty if the model has no attention.
  std::vector<std::vector<Real>> attention;
};

// For each sentence of the batch its n best hypotheses, all distinct: first those that wrote </s>, then those that the
// limit cut, each kind by falling score; of equal ones the one found first, or with the smaller id. There are fewer
// than n only where a vocabulary has too few words for so many.
//
// At each step the `beam` most probable continuations of a sentence's hypotheses are kept. One that ends in </s> is
// finished; the others go on. A sentence leaves the batch when nothing can change its n best: log p never rises
// and no hypothesis grows longer than L = max_length + 1, so what a live one can still reach is at most
// log p / L^alpha (log p <= 0, alpha >= 0); it leaves once the n-th best finished score is at least that.
//
// A logit of -infinity forbids a word. std::invalid_argument: beam is 0, n_best is 0 or exceeds it, alpha < 0.
// std::runtime_error naming sentence and step: the model's logits are NaN or infinite.
std::vector<std::vector<Hypothesis>> beam_search(const Seq2Seq& model, const Batch& batch, const BeamOptions& options);

}  // namespace models
