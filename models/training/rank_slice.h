// A RankSlice names the part of every batch that one process uses in data-parallel training. Each process (rank) splits
// the batch into one part per rank and uses its own part.
#pragma once

#include <cstddef>

namespace softalign::models {

struct RankSlice {
  std::size_t place = 0, of = 1;
};

}  // namespace softalign::models
