#include "autograd/gradient.h"

#include <algorithm>
#include <utility>

namespace autograd::inline SOFTALIGN_PRECISION {
namespace {

std::size_t row_width(const Shape& shape) { return shape.size() / std::max<std::size_t>(shape[0], 1); }

void add_row(Real* __restrict to, const Real* __restrict from, std::size_t width) {
  for (std::size_t j = 0; j < width; ++j) to[j] += from[j];
}

}  // namespace

void Gradient::clear() {
  sum_ = Array();
  rows_.clear();
  products_ = {};
  expected_ = 0;
}

void Gradient::add_product(const Shape& shape, const Array& x, const Array& dy, Columns columns) {
  products_.add(x, dy, columns);
  if (--expected_ <= 0) multiply(shape);
}

void Gradient::multiply(const Shape& shape) {
  WeightProducts products = std::exchange(products_, {});
  expected_ = 0;
  dense(shape);
  const bool fresh = !sum_.defined();
  if (fresh) sum_ = Array(shape);
  if (!sum_.sole_owner()) sum_ = sum_.clone();
  products.multiply_into(sum_, fresh);
}

Array& Gradient::dense(const Shape& shape) {
  if (waits()) multiply(shape);
  if (rows_.empty()) return sum_;
  const std::vector<Rows> rows = std::move(rows_);
  rows_.clear();
  sum_ = zeros(shape);
  for (const Rows& r : rows) add_rows(shape, r.ids, r.sums);
  return sum_;
}

void Gradient::add_rows(const Shape& shape, const Ids& ids, const Array& g) {
  if (!sum_.defined()) {
    rows_.push_back({ids, g, false});
    return;
  }
  if (!sum_.sole_owner()) sum_ = sum_.clone();
  const std::size_t width = row_width(shape);
  for (std::size_t i = 0; i < ids.size(); ++i)
    add_row(sum_.data() + static_cast<std::size_t>(ids[i]) * width, g.data() + i * width, width);
}

void Gradient::add_rows(const Shape& shape, Gradient& other) {
  for (const Rows& r : other.rows_) add_rows(shape, r.ids, r.sums);
}

Ids Gradient::touched() const {
  Ids ids;
  for (const Rows& r : rows_) ids.insert(ids.end(), r.ids.begin(), r.ids.end());
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

Gradient::Rows& Gradient::summed_rows(const Shape& shape) {
  if (rows_.size() == 1 && rows_.front().summed) return rows_.front();
  const Ids ids = touched();
  const std::size_t width = row_width(shape);
  Array sums = zeros({ids.size(), width});
  for (const Rows& r : rows_)
    for (std::size_t i = 0; i < r.ids.size(); ++i) {
      const auto row = static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), r.ids[i]) - ids.begin());
      add_row(sums.data() + row * width, r.sums.data() + i * width, width);
    }
  rows_ = {{ids, sums, true}};
  return rows_.front();
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
