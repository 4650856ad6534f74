// Pictures of boards with their captions (data/pictures/synthetic_captions.h) as numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "autograd/grid.h"
#include "autograd/var.h"
#include "data/corpus/batch.h"
#include "data/pictures/synthetic_captions.h"

namespace softalign::apps {

// B pictures; the same seed draws the same.
struct BoardBatch {
  static constexpr std::size_t side = data::board_side * data::board_square;
  static constexpr autograd::Grid pixels{side, side}, cells{side / 4, side / 4};

  BoardBatch(std::size_t B, std::uint64_t seed);

  std::vector<data::Board> drawn;
  autograd::Array values;  // (24*24, B, 3), in [0, 1]
  data::Batch captions;    // its sources are the cells: S = N, and no ids

  static std::size_t words();                                    // V, the special ones counted
  static std::vector<std::size_t> cells_of(std::size_t square);  // those that it covers
};

}  // namespace softalign::apps
