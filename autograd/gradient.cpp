#include "autograd/gradient.h"

#include <utility>

namespace autograd::inline SOFTALIGN_PRECISION {

Array& Gradient::dense(const Shape& shape) {
  if (!rows_.empty()) {
    const SparseRows rows = std::exchange(rows_, {});
    if (!sum_.defined()) sum_ = zeros(shape);
    if (!sum_.sole_owner()) sum_ = sum_.clone();
    rows.add_to(sum_);
  }
  if (waits()) {
    WeightProducts products = std::exchange(products_, {});
    expected_ = 0;
    const bool fresh = !sum_.defined();
    if (fresh) sum_ = Array(shape);
    if (!sum_.sole_owner()) sum_ = sum_.clone();
    products.multiply_into(sum_, fresh);
  }
  return sum_;
}

void Gradient::add_rows(const Ids& ids, const Array& g) {
  rows_.add(ids, g);
  if (sum_.defined()) dense(sum_.shape());
}

void Gradient::add_product(const Shape& shape, const Array& x, const Array& dy, Columns columns) {
  products_.add(x, dy, columns);
  if (--expected_ <= 0) dense(shape);
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
