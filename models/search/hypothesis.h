// Hypothesis: one translation that decoding found, and the tree of words that the hypotheses of a search share.
#pragma once

#include <cstddef>
#include <vector>

#include "models/seq2seq.h"

namespace models {

using autograd::Id;

// One row over the sentence's own S steps (</s> included, no padding).
using Weights = std::vector<Real>;

struct Hypothesis {
  Ids ids;                                  // without <s> and </s>, never <pad>; <unk> is a word
  bool finished = false;                    // wrote </s>; otherwise the length limit cut it
  double log_prob = 0;                      // log p(ids, </s> | source), nats
  double score = 0;                         // what it is ranked by
  std::vector<double> word_log_prob;        // one per step, </s> included
  std::vector<Weights> attention;           // one per step; empty if the model has no attention
  std::vector<std::vector<Weights>> heads;  // one per step: K rows; empty unless the attention has several heads
};

// What the decoder looked at in one step, for all rows of that step.
struct Look {
  Array attention;  // (R, S) or undefined
  Array heads;      // (R, K, S) or undefined
};
Look look(const Step& step);

// One word of a hypothesis. The words before it hang on `previous`, so that hypotheses share their beginnings.
struct Word {
  Id id = data::start_id;
  std::size_t previous = 0;  // place in the tree
  double log_prob = 0;       // of this word
  double total = 0;          // and of those before it
  std::size_t row = 0;       // of the decoder, in the step that wrote the word
  std::size_t length = 0;    // words up to here: also the number of that step, from 1
};
using WordTree = std::vector<Word>;  // tree[0] is <s>

// The words from <s> to that place, its score left at 0. looks[i] is that of step i + 1; the source has
// `source_length` steps.
Hypothesis trace(const WordTree& tree, std::size_t place, const std::vector<Look>& looks, std::size_t source_length);

// Takes a hypothesis one word further: `row` of the step wrote `id`.
void append(Hypothesis& h, Id id, double log_prob, const Look& look, std::size_t row, std::size_t source_length);

}  // namespace models
