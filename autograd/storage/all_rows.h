// All rows of a table, in their order.
#pragma once

#include <cstddef>
#include <numeric>

#include "autograd/storage/ids.h"

namespace softalign::autograd {

// 0 .. n-1
inline Ids all_rows(std::size_t n) {
  Ids rows(n);
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

}  // namespace softalign::autograd
