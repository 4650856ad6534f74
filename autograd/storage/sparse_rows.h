// SparseRows: the gradient of a table by the rows of it that were used.
#pragma once

#include <vector>

#include "autograd/storage/array.h"
#include "autograd/storage/ids.h"

namespace softalign::autograd {

class SparseRows {
 public:
  SparseRows() = default;
  SparseRows(const Ids& ids, const Array& g) : parts_{{ids, g, false}} {}  // g (N, ..) is kept, not copied
  bool empty() const { return parts_.empty(); }
  void add(const SparseRows& other) { parts_.insert(parts_.end(), other.parts_.begin(), other.parts_.end()); }
  void add_to(Array& table) const;  // rows ids[i] of it += g[i]
  Ids touched() const;              // in rising order, each once

  // The rows in rising order, each once, with their sums (rows, width).
  struct Part {
    Ids ids;
    Array sums;
    bool summed = false;
  };
  Part& summed(std::size_t width);

 private:
  std::vector<Part> parts_;  // as they came; ids may repeat
};

}  // namespace softalign::autograd
