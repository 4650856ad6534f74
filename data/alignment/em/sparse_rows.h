// Which columns of which rows are there: the cells of a sparse table, numbered from 0 row by row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "data/corpus/batch.h"

namespace softalign::data {

using Cell = std::uint32_t;
inline constexpr Cell no_cell = std::numeric_limits<Cell>::max();

class SparseRows {
 public:
  // The columns of each row, in any order and any number of times. std::runtime_error for 2^32 - 1 cells or more.
  explicit SparseRows(std::vector<Ids> columns_of_rows);

  size_t rows() const { return begin_.size() - 1; }
  size_t cells() const { return columns_.size(); }
  size_t begin(size_t row) const { return begin_[row]; }  // its first cell
  size_t end(size_t row) const { return begin_[row + 1]; }
  Id column(size_t cell) const { return columns_[cell]; }
  Cell find(Id row, Id column) const;  // no_cell if it is not there

 private:
  std::vector<size_t> begin_;  // (rows + 1)
  Ids columns_;                // (cells), rising within a row
};

}  // namespace softalign::data
