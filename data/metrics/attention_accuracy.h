// Attention accuracy is the share of words with their largest weight on one of their gold positions. Any gold position
// is right.
#pragma once

#include <cstddef>
#include <vector>

#include "data/corpus/links.h"

namespace softalign::data {

// AttentionAccuracy sums counts over all added records, for the target words with gold positions, sure or possible.
//   accuracy = hits / words                       the first of a row's largest weights lies in gold
//   mass in gold = 1/words sum_t sum_{s in gold of t} alpha_ts
//   accuracy within one cell = near / on_grid     the same largest weight lies in gold, or in one of the eight cells
//                                                 around a gold cell; only for words whose positions are cells of a
//                                                 grid
struct AttentionAccuracy {
  std::size_t words = 0;  // with gold
  std::size_t hits = 0;
  double mass = 0;  // sum of their weights on gold
  std::size_t on_grid = 0, near = 0;

  // `weights` has one row per target step and one column per source position. Word t has row t + shift, as in
  // data/alignment/link_extraction.h. A word without a row is not counted. If the source positions are the cells of a
  // grid, `grid_columns` is its number of columns, otherwise 0. Throws std::invalid_argument if gold lies outside of a
  // row.
  void add(const std::vector<std::vector<float>>& weights, const Gold& gold, std::size_t shift = 0,
           std::size_t grid_columns = 0);

  double accuracy() const;      // in 0 .. 1; 0 if no word has gold
  double mass_in_gold() const;  // the same
  double accuracy_within_one_cell() const;
};

// Returns whether two cells of a grid are the same, or touch at a side or a corner.
bool are_near(std::size_t a, std::size_t b, std::size_t grid_columns);

}  // namespace softalign::data
