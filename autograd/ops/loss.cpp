#include "autograd/ops/loss.h"

#include <fmt/format.h>

#include <stdexcept>

#include "autograd/ops/softmax.h"

namespace softalign::autograd {

Var cross_entropy(const Var& logits, const Ids& targets, const CrossEntropyOptions& options) {
  const Shape& shape = logits.shape();
  std::size_t N = 1;
  for (std::size_t axis = 0; axis + 1 < shape.rank(); ++axis) N *= shape[axis];
  if (shape.rank() < 2 || N != targets.size())
    throw std::invalid_argument(fmt::format("cross_entropy: logits {} and {} targets; (.., V) and one a row expected",
                                            to_string(shape), targets.size()));
  if (!(options.smoothing >= 0 && options.smoothing < 1))
    throw std::invalid_argument(fmt::format("cross_entropy: smoothing {} is not in [0, 1)", options.smoothing));
  const std::size_t V = shape.back();
  const Id ignore = options.ignore;
  for (std::size_t i = 0; i < N; ++i)
    if (targets[i] != ignore && (targets[i] < 0 || static_cast<std::size_t>(targets[i]) >= V))
      throw std::invalid_argument(fmt::format("cross_entropy: target {} of row {} is not in 0 .. {}", targets[i], i,
                                              static_cast<std::ptrdiff_t>(V) - 1));
  const Var log_p = log_softmax(logits);
  const Real on = static_cast<Real>(1 - options.smoothing);
  const Real off = static_cast<Real>(options.smoothing / static_cast<double>(V));

  // y = -on log p(target) - off sum_v log p(v)
  Array y = zeros({N});
  for (std::size_t i = 0; i < N; ++i) {
    if (targets[i] == ignore) continue;
    const Real* row = log_p.value().data() + i * V;
    if (off != 0)
      for (std::size_t v = 0; v < V; ++v) y[i] -= off * row[v];
    y[i] -= on * row[targets[i]];
  }
  // dlog_p(v) = -dy off        at the target: dlog_p(v) = -dy (off + on)
  return Var("cross_entropy", y, {log_p}, [log_p, targets, ignore, on, off, N, V](const Array& dy) {
    Array& dlog_p = log_p.zeroed_grad();
    for (std::size_t i = 0; i < N; ++i) {
      if (targets[i] == ignore) continue;
      Real* row = dlog_p.data() + i * V;
      if (off != 0)
        for (std::size_t v = 0; v < V; ++v) row[v] -= dy[i] * off;
      row[targets[i]] -= dy[i] * on;
    }
  });
}

}  // namespace softalign::autograd
