// Gradient: what has arrived at a node. Numbers of the node's shape; on a leaf also rows of it that were used (an
// embedding table), and products x' dy that wait to be multiplied at once (a weight).
#pragma once

#include "autograd/linalg/weight_products.h"
#include "autograd/storage/sparse_rows.h"

namespace autograd::inline SOFTALIGN_PRECISION {

class Gradient {
 public:
  bool defined() const { return sum_.defined() || !rows_.empty() || waits(); }
  bool sparse() const { return !rows_.empty() && !waits(); }
  bool waits() const { return !products_.empty(); }
  void clear() { *this = {}; }

  // The whole gradient, of the node's shape, rows and products added to it; undefined until something arrives.
  Array& dense(const Shape& shape);
  Array& dense() { return sum_; }  // where no rows and products can be

  // rows ids[i] += g[i]; what came densely before stays dense.
  void add_rows(const Ids& ids, const Array& g);
  void add(const Gradient& rows) { rows_.add(rows.rows_); }  // of another one all rows
  const SparseRows& rows() const { return rows_; }
  SparseRows& rows() { return rows_; }

  // x' dy, multiplied with all others once as many have come as were expected.
  void expect_product() { ++expected_; }
  void add_product(const Shape& shape, const Array& x, const Array& dy, Columns columns);

 private:
  Array sum_;
  SparseRows rows_;
  WeightProducts products_;
  std::ptrdiff_t expected_ = 0;
};

}  // namespace autograd::inline SOFTALIGN_PRECISION
