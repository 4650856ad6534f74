#include "layers/pooling/kernel_pooling.h"

#include <fmt/format.h>

#include <stdexcept>

#include "autograd/ops/distances.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"

namespace softalign::layers {

namespace {

// visible returns (M, N), with 1 where a query may attend, and 0 elsewhere.
Array visible(std::size_t M, std::size_t N, LeaveOneOut leave_one_out) {
  Array m({M, N}, 1);
  if (leave_one_out == LeaveOneOut::yes)
    for (std::size_t i = 0; i < M; ++i) m[i * N + i] = 0;
  return m;
}

// zero_as_one returns 1 where x is 0, and 0 elsewhere.
Var zero_as_one(const Var& x) {
  Array one(x.shape());
  for (std::size_t i = 0; i < one.size(); ++i) one[i] = x.value()[i] == 0 ? 1 : 0;
  return constant(one);
}

Var boxcar(const Var& u) {  // piecewise constant, so there is no gradient
  Array K(u.shape());
  for (std::size_t i = 0; i < K.size(); ++i) K[i] = u.value()[i] <= 1 ? 1 : 0;
  return constant(K);
}

// compact computes a kernel. The weights are the values of this kernel, divided by their sum.
Var compact(Kernel kernel, const Var& u) {
  if (kernel == Kernel::boxcar) return boxcar(u);
  return relu(Real(1) - (kernel == Kernel::triangular ? u : square(u)));
}

}  // namespace

Pooled kernel_pooling(Kernel kernel, const Var& w, const Var& x, const Var& keys, const Var& values,
                      LeaveOneOut leave_one_out) {
  const std::size_t M = x.dim(0), N = keys.dim(0);
  if (values.shape().rank() != 2 || values.dim(0) != N || (leave_one_out == LeaveOneOut::yes && M != N))
    throw std::invalid_argument(
        fmt::format("kernel_pooling: {} queries, {} keys, values {}", M, N, to_string(values.shape())));
  const Array seen = visible(M, N, leave_one_out);
  const Var u = w * distances(x, keys);  // (M, N)
  Var alpha;
  if (kernel == Kernel::gaussian) {
    alpha = softmax(square(u) * Real(-0.5), seen);
  } else {
    const Var K = compact(kernel, u) * constant(seen);
    const Var total = sum(K, {1}, autograd::Keep::yes);
    alpha = K / (total + zero_as_one(total));
  }
  return {matmul(alpha, values), alpha};
}

}  // namespace softalign::layers
