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
  Slot slot(const Shape& shape) { return dense(shape), own(shape); }  // the same, to be written into

  void add_rows(const SparseRows& more);  // what came densely before stays dense
  SparseRows& rows() { return rows_; }

  // x' dy, multiplied together with all others when the gradient is read.
  void add_product(const Array& x, const Array& dy, Columns columns) { products_.add(x, dy, columns); }

 private:
  Slot own(const Shape& shape);  // sum_, made if there is none, of its own memory if it shares another's

  Array sum_;
  SparseRows rows_;
  WeightProducts products_;
};

}  // namespace autograd::inline SOFTALIGN_PRECISION
