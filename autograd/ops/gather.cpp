#include "autograd/ops/gather.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace softalign::autograd {

// y_i = x[ids_i]       dx[ids_i] += dy_i
Var gather(const Var& x, const Ids& ids) {
  if (x.shape().rank() == 0) throw std::invalid_argument("gather: a scalar has no rows");
  Shape shape = x.shape();
  const std::size_t V = shape[0];
  shape[0] = ids.size();
  Array y(shape);
  const std::size_t width = V ? x.value().size() / V : 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= V)
      throw std::invalid_argument(fmt::format("gather: row {} of {}", ids[i], to_string(x.shape())));
    std::copy_n(x.value().data() + static_cast<std::size_t>(ids[i]) * width, width, y.data() + i * width);
  }
  return Var("gather", y, {x}, [x, ids](const Array& dy) { add_row_grad(x, ids, dy); });  // autograd/var.cpp
}

}  // namespace softalign::autograd
