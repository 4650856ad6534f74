#include <fmt/format.h>

#include <stdexcept>

#include "autograd/fused/internal/gru_steps.h"
#include "autograd/fused/kernels.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"

namespace autograd::inline SOFTALIGN_PRECISION {
namespace {

Var composed(const Var& x, const Var& h, const GRUWeights& w) {
  const std::size_t H = w.hidden();
  const Var rz = sigmoid(slice(x, 1, 0, 2 * H) + matmul(h, slice(w.U, 1, 0, 2 * H)));
  const Var r = slice(rz, 1, 0, H), z = slice(rz, 1, H, 2 * H);
  const Var x_n = slice(x, 1, 2 * H, 3 * H), U_n = slice(w.U, 1, 2 * H, 3 * H);
  if (w.form == GRUForm::cho) {
    const Var n = tanh(x_n + matmul(r * h, U_n));
    return (Real(1) - z) * h + z * n;
  }
  const Var n = tanh(x_n + r * affine(h, U_n, w.b_u));
  return (Real(1) - z) * n + z * h;
}

Var fused(const Var& x, const Var& h, const GRUWeights& w) {
  return gru_steps("gru_cell", x, h, w, Steps(1, std::vector<std::size_t>(h.dim(0), 1), Direction::forward));
}

}  // namespace

Var gru_cell(Var x, const Var& h, const Var& U, const Var& b_u, GRUForm form) {
  const GRUWeights w{U, b_u, form};
  check_gru("gru_cell", x, w);
  if (!(h.shape() == Shape{x.dim(0), w.hidden()}))
    throw std::invalid_argument(fmt::format("gru_cell: x {} and h {} do not fit; (R, 3H) and (R, H) expected",
                                            to_string(x.shape()), to_string(h.shape())));
  return dispatch<FusedOp::gru_cell>([&] { return fused(x, h, w); }, [&] { return composed(x, h, w); });
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
