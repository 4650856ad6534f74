#include "autograd/gradient.h"

#include <algorithm>
#include <utility>

namespace softalign::autograd {
namespace {

void add_row(Real* __restrict to, const Real* __restrict from, std::size_t width) {
  for (std::size_t j = 0; j < width; ++j) to[j] += from[j];
}

}  // namespace

void SparseRows::add_to(Array& table) const {
  const std::size_t width = table.size() / std::max<std::size_t>(table.dim(0), 1);
  for (const Part& part : parts_)
    for (std::size_t i = 0; i < part.ids.size(); ++i)
      add_row(table.data() + static_cast<std::size_t>(part.ids[i]) * width, part.sums.data() + i * width, width);
}

Ids SparseRows::touched() const {
  Ids ids;
  for (const Part& part : parts_) ids.insert(ids.end(), part.ids.begin(), part.ids.end());
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

SparseRows::Part& SparseRows::summed(std::size_t width) {
  if (parts_.size() == 1 && parts_.front().summed) return parts_.front();
  const Ids ids = touched();
  Array sums = zeros({ids.size(), width});
  for (const Part& part : parts_)
    for (std::size_t i = 0; i < part.ids.size(); ++i) {
      const auto row = static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), part.ids[i]) - ids.begin());
      add_row(sums.data() + row * width, part.sums.data() + i * width, width);
    }
  parts_ = {{ids, sums, true}};
  return parts_.front();
}

Slot Gradient::own(const Shape& shape) {
  const bool fresh = !sum_.defined();
  if (fresh) sum_ = Array(shape);
  else if (!sum_.sole_owner()) sum_ = sum_.clone();
  return {sum_, fresh};
}

Array& Gradient::dense(const Shape& shape) {
  if (!rows_.empty()) {
    const auto [sum, fresh] = own(shape);
    if (fresh) sum.fill(0);
    std::exchange(rows_, {}).add_to(sum);
  }
  if (waits()) {
    const std::shared_ptr<const Deferred> deferred = std::exchange(deferred_, nullptr);
    deferred->make_room();
    deferred->add_into(own(shape));
  }
  return sum_;
}

void Gradient::add_rows(const SparseRows& more) {
  rows_.add(more);
  if (sum_.defined()) dense(sum_.shape());
}

}  // namespace softalign::autograd
