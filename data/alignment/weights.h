// Weights: where a model looked while it read or wrote one sentence pair, from decoding to the record in a file.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace data {

// Attention weights of one pair, matrix[t][s]: one row per target step, one column per source position.
using Matrix = std::vector<std::vector<float>>;

// One head of one layer's attention.
struct Head {
  size_t layer = 0, head = 0;
  std::string kind = "cross";  // cross | encoder-self | decoder-self | self: not said of which side
  Matrix matrix;               // a row per step, or for encoder-self per source position, each sums to 1
};

struct Weights {
  Matrix matrix;            // matrix[t][s], what alignments are read off; empty if there is no attention
  std::vector<Head> heads;  // further ones, `matrix` being their mean or a choice; empty where it is the only one
};

}  // namespace data
