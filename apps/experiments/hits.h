// How often a model's largest number stands where it should.
#pragma once

#include <algorithm>
#include <cstddef>

#include "autograd/var.h"

namespace softalign::apps {

// Where the largest number of a row of n stands; the first of equals.
inline std::size_t largest(const autograd::Real* row, std::size_t n) {
  return static_cast<std::size_t>(std::max_element(row, row + n) - row);
}
// of a row of (rows, n)
inline std::size_t largest(const autograd::Var& rows, std::size_t row, std::size_t n) {
  return largest(rows.value().data() + row * n, n);
}

struct Hits {
  double hits = 0, all = 0;
  void count(double hit) { hits += hit, all += 1; }
  double percent() const { return 100 * hits / all; }
};

}  // namespace softalign::apps
