#include <fmt/format.h>

#include <memory>
#include <stdexcept>

#include "autograd/fused/internal/lstm_kernels.h"
#include "autograd/fused/kernels.h"
#include "autograd/fused/lstm.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/shape.h"

namespace autograd::inline SOFTALIGN_PRECISION {
namespace {

LSTMState composed(const Var& gates, const Var& c) {
  const std::size_t H = c.dim(1);
  const Var i = sigmoid(slice(gates, 1, 0, H)), f = sigmoid(slice(gates, 1, H, 2 * H));
  const Var g = tanh(slice(gates, 1, 2 * H, 3 * H)), o = sigmoid(slice(gates, 1, 3 * H, 4 * H));
  const Var c_next = f * c + i * g;
  return {o * tanh(c_next), c_next};
}

// Two outputs, so two nodes: c' is the older; h' leaves its gradient dh' beside it, and c' does all the calculus.
LSTMState fused(const Var& gates, const Var& c) {
  const std::size_t R = c.dim(0), H = c.dim(1);
  Array a = gates.spend(), c_next({R, H}), h_next({R, H});  // a: activations, and on the way back their gradients
#pragma omp parallel for schedule(static) if (R * H >= parallel_from)
  for (std::size_t r = 0; r < R; ++r)
    lstm_row(a.data() + 4 * H * r, c.value().data() + H * r, c_next.data() + H * r, h_next.data() + H * r, H);

  const auto dh = std::make_shared<Array>();
  const Var memory("lstm_cell", c_next, {gates, c},
                   [gates, c, a, dh, R, H](const Array& dc_next, const Array& c_n) mutable {
                     Array dc = dc_next.clone();
                     if (!dh->defined()) *dh = zeros({R, H});
#pragma omp parallel for schedule(static) if (R * H >= parallel_from)
                     for (std::size_t r = 0; r < R; ++r)
                       lstm_row_backward(a.data() + 4 * H * r, c.value().data() + H * r, c_n.data() + H * r,
                                         dh->data() + H * r, dc.data() + H * r, H);
                     gates.add_grad(a);
                     c.add_grad(dc);
                   });
  const Var h("lstm_cell", h_next, {memory}, [memory, dh](const Array& dh_next, const Array&) {
    *dh = dh_next;
    memory.zeroed_grad();  // the walk must come to c' even where nothing reads it
  });
  return {h, memory};
}

}  // namespace

LSTMState lstm_cell(Var gates, const Var& c) {
  if (c.shape().rank() != 2 || !(gates.shape() == Shape{c.dim(0), 4 * c.dim(1)}))
    throw std::invalid_argument(fmt::format("lstm_cell: gates {} and c {} do not fit; (R, 4H) and (R, H) expected",
                                            to_string(gates.shape()), to_string(c.shape())));
  return dispatch<FusedOp::lstm_cell>([&] { return fused(gates, c); }, [&] { return composed(gates, c); });
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
