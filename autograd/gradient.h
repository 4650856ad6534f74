// Gradient: what has arrived at a node. Dense, or on a leaf (an embedding table) the rows of it that were used.
#pragma once

#include <vector>

#include "autograd/linalg/weight_products.h"
#include "autograd/storage/ids.h"

namespace autograd::inline SOFTALIGN_PRECISION {

class Gradient {
 public:
  bool defined() const { return sum_.defined() || !rows_.empty() || !products_.empty(); }
  bool sparse() const { return !rows_.empty(); }
  void clear();

  // The whole gradient, of the node's shape; undefined until something arrives. One of rows becomes dense.
  Array& dense(const Shape& shape);
  Array& dense() { return sum_; }  // where no rows can be

  // rows ids[i] += g[i]; what came densely before stays dense. g is kept, not copied.
  void add_rows(const Shape& shape, const Ids& ids, const Array& g);
  void add_rows(const Shape& shape, Gradient& other);  // all that `other`, a sparse one, has

  // x' dy (weight_products.h), multiplied with all others once as many have come as were expected, or when the gradient
  // is asked for.
  void expect_product() { ++expected_; }
  void add_product(const Shape& shape, const Array& x, const Array& dy, Columns columns);
  bool waits() const { return !products_.empty(); }

  // Of a sparse one: its rows in rising order, each once, with their sums (rows, ..).
  struct Rows {
    Ids ids;
    Array sums;
    bool summed = false;
  };
  Rows& summed_rows(const Shape& shape);
  Ids touched() const;  // their ids alone

 private:
  void multiply(const Shape& shape);

  Array sum_;
  std::vector<Rows> rows_;  // as they came; ids may repeat
  WeightProducts products_;
  std::ptrdiff_t expected_ = 0;
};

}  // namespace autograd::inline SOFTALIGN_PRECISION
