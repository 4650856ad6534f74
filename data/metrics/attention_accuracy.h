// Attention accuracy: whether the largest weight of a word lies on one of its gold positions, of which any one is
// right.
#pragma once

#include <cstddef>
#include <vector>

#include "data/corpus/links.h"

namespace softalign::data {

// Pooled over all that was added. Counted are the target words that have gold, sure or possible.
//   accuracy = hits / words                 the first of a row's largest weights lies in gold
//   mass in gold = 1/words sum_t sum_{s in gold of t} alpha_ts
struct AttentionAccuracy {
  std::size_t words = 0;  // with gold
  std::size_t hits = 0;
  double mass = 0;  // of their rows in gold, summed

  // A row of weights a target step, its columns source positions; that of word t is row t + shift, as in
  // data/alignment/link_extraction.h. A word without a row is not counted. std::invalid_argument: gold outside of a
  // row.
  void add(const std::vector<std::vector<float>>& weights, const Gold& gold, std::size_t shift = 0);

  double accuracy() const;      // in 0 .. 1; 0 where no word has gold
  double mass_in_gold() const;  // the same
};

}  // namespace softalign::data
