#include "data/alignment/em/sparse_rows.h"

#include <algorithm>
#include <stdexcept>

namespace softalign::data {

SparseRows::SparseRows(std::vector<Ids> columns_of_rows) {
  begin_.push_back(0);
  for (Ids& columns : columns_of_rows) {
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    columns_.insert(columns_.end(), columns.begin(), columns.end());
    begin_.push_back(columns_.size());
    columns = {};
  }
  if (columns_.size() >= no_cell) {
    throw std::runtime_error("too many pairs of words stand together (2^32); give fewer sentence pairs");
  }
}

Cell SparseRows::find(Id row, Id column) const {
  const auto first = columns_.begin() + static_cast<std::ptrdiff_t>(begin_[row]);
  const auto last = columns_.begin() + static_cast<std::ptrdiff_t>(begin_[row + 1]);
  const auto found = std::lower_bound(first, last, column);
  return found != last && *found == column ? static_cast<Cell>(found - columns_.begin()) : no_cell;
}

}  // namespace softalign::data
