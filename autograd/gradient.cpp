#include "autograd/gradient.h"

#include <utility>

namespace softalign::autograd {

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
