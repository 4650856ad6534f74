// Attention accuracy is the share of words whose largest attention weight is on a gold position. A word may have
// several gold positions.
#pragma once

#include <cstddef>
#include <vector>

#include "data/corpus/links.h"

namespace softalign::data {

// AttentionAccuracy sums counts over all target words that have gold positions (sure or possible). It computes three
// measures:
//   - Accuracy is hits / words. A hit is a word whose largest weight is on a gold position. If several weights are the
//     largest, the first counts.
//   - The mass in gold is the mean, over the words, of the total weight on gold positions.
//   - The accuracy within one cell is near / on_grid, where on_grid counts the words whose source is a grid of cells. A
//     word counts as near if its largest weight is on a gold cell or on one of the eight cells around it.
struct AttentionAccuracy {
  std::size_t words = 0;  // words with gold positions
  std::size_t hits = 0;
  double mass = 0;  // sum of the weights on gold positions
  std::size_t on_grid = 0, near = 0;

  // Adds the attention weights of one sentence. `weights` has one row per target step and one column per source
  // position. The weights of word t are in row t + shift. `shift` is 0 if they belong to the step that writes the word,
  // and 1 if they belong to the step that reads it. A word without such a row is not counted. If the source positions
  // are the cells of a grid, `grid_columns` is the grid's number of columns. Otherwise it is 0. Throws
  // std::invalid_argument if a gold position is outside of the row.
  void add(const std::vector<std::vector<float>>& weights, const Gold& gold, std::size_t shift = 0,
           std::size_t grid_columns = 0);

  double accuracy() const;      // in 0 .. 1; 0 if no word has a gold position
  double mass_in_gold() const;  // in 0 .. 1; 0 if no word has a gold position
  double accuracy_within_one_cell() const;
};

// Returns true if two cells of a grid are the same cell, or touch at a side or a corner.
bool are_near(std::size_t a, std::size_t b, std::size_t grid_columns);

}  // namespace softalign::data
