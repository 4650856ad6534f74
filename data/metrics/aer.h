// The alignment error rate (AER) measures how much predicted links differ from gold links.
#pragma once

#include <cstddef>

#include "data/corpus/links.h"

namespace softalign::data {

// AlignmentScore has alignment error rate, precision and recall (Och & Ney 2003, "A Systematic Comparison of Various
// Statistical Alignment Models", section 5). It adds up the counts of all pairs and then divides, so it is not a mean
// over sentences.
//
// A are the links found, S are the sure gold links, and P are the sure and possible gold links.
// |A n S| is the number of links that are in A and in S.
struct AlignmentScore {
  std::size_t found = 0;           // |A|, the number of links found; a repeated link counts once
  std::size_t sure = 0;            // |S|
  std::size_t found_sure = 0;      // |A n S|
  std::size_t found_possible = 0;  // |A n P|

  void add(const Links& links, const Gold& gold);
  // Returns AER = 1 - (|A n S| + |A n P|) / (|A| + |S|), in 0 .. 1. A are the links found, S are the sure gold links,
  // and P are the sure and possible gold links. n is the intersection. Returns 0 if A and S are empty.
  double aer() const;
  // Returns precision = |A n P| / |A|, where A are the links found and P are the sure and possible gold links. Returns
  // 1 if no link was found, because then none was wrong.
  double precision() const;
  // Returns recall = |A n S| / |S|, where A are the links found and S are the sure gold links. Returns 1 if S is empty.
  double recall() const;
};

// Removes the links of target words in fixed expressions, so that you can compute the AER without fixed expressions. A
// word counts as part of a fixed expression if it has possible gold links, but no sure gold link.
Links outside_fixed_expressions(const Links& links, const Gold& gold);

}  // namespace softalign::data
