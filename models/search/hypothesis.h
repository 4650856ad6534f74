// Hypothesis: one translation that decoding found, and the tree of words that the hypotheses of a search share.
#pragma once

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
  data::Weights weights;              // a row per step, over the source's own S places (</s> included, no padding)
};

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

// The words from <s> to that place, its score left at 0. weights[i] are those of step i + 1; the source has
// `source_length` places.
Hypothesis trace(const WordTree& tree, std::size_t place, const std::vector<Weights>& weights,
                 std::size_t source_length);

// Takes a hypothesis one word further: `row` of the step wrote `id`.
void append(Hypothesis& h, Id id, double log_prob, const Weights& step, std::size_t row, std::size_t source_length);

}  // namespace softalign::models
