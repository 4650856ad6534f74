// Alignment error rate (AER): the distance of predicted links from gold links.
#pragma once

#include <cstddef>

#include "data/corpus/links.h"

namespace softalign::data {

// Alignment error rate, precision and recall (Och & Ney 2003, "A Systematic Comparison of Various Statistical Alignment
// Models", section 5), pooled over all pairs added: counts are summed first, never a mean over sentences.
// A: links found, S: sure, P: sure and possible.
struct AlignmentScore {
  std::size_t found = 0;           // |A|, each link of a pair once
  std::size_t sure = 0;            // |S|
  std::size_t found_sure = 0;      // |A n S|
  std::size_t found_possible = 0;  // |A n P|

  void add(const Links& links, const Gold& gold);
  // AER = 1 - (|A n S| + |A n P|) / (|A| + |S|), in 0 .. 1; 0 where neither side has a link.
  double aer() const;
  // precision = |A n P| / |A|; 1 where nothing was found, hence nothing falsely.
  double precision() const;
  // recall = |A n S| / |S|; 1 where nothing was to be found.
  double recall() const;
};

// Removes the links to target words that have only possible gold links (the words of fixed expressions), so that you
// can compute AER without fixed expressions.
Links outside_fixed_expressions(const Links& links, const Gold& gold);

}  // namespace softalign::data
