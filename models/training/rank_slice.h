// A RankSlice names the part of every batch that one process uses in data-parallel training. Each process (rank) splits
// the batch into one part per rank and uses its own part.
#pragma once

#include <cstddef>

namespace softalign::models {

struct RankSlice {
  std::size_t rank = 0, count = 1;  // number of this process, and number of processes
};

}  // namespace softalign::models
