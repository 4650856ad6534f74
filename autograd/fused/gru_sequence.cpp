#include <fmt/format.h>

#include <stdexcept>

#include "autograd/fused/internal/gru_steps.h"
#include "autograd/fused/kernels.h"
#include "autograd/ops/shape.h"

namespace autograd::inline SOFTALIGN_PRECISION {
namespace {

// h_t = cell(xW_t, h_{t-1}); padding keeps the state: h_t = m_t h' + (1 - m_t) h_{t-1}
GRUSequence composed(const Var& xW, const Var& before, const GRUWeights& w, const Steps& steps) {
  std::vector<Var> states(steps.S);
  Var h = before;
  for (const std::size_t t : steps.order) {
    const Var next = gru_cell(slice(xW, 0, t * steps.B, (t + 1) * steps.B), h, w.U, w.b_u, w.form);
    states[t] = h = steps.keep_padding(t, next, h);
  }
  return {concat(states, 0), h};
}

GRUSequence fused(const Var& xW, const Var& before, const GRUWeights& w, const Steps& steps) {
  const Var states = gru_steps("gru_sequence", xW, before, w, steps);
  const std::size_t last = steps.order.back() * steps.B;
  return {states, slice(states, 0, last, last + steps.B)};
}

}  // namespace

GRUSequence gru_sequence(Var xW, const Var& U, const Var& b_u, GRUForm form, const Var& before,
                         const std::vector<std::size_t>& lengths, Direction direction) {
  const GRUWeights w{U, b_u, form};
  check_gru("gru_sequence", xW, w);
  const std::size_t B = lengths.size();
  if (B == 0 || xW.dim(0) % B)
    throw std::invalid_argument(
        fmt::format("gru_sequence: xW {} is not (S*B, 3H) for B = {} lengths", to_string(xW.shape()), B));
  const Steps steps(xW.dim(0) / B, lengths, direction);
  const Var start = steps.or_zeros(before, w.hidden());
  return dispatch<FusedOp::gru_sequence>([&] { return fused(xW, start, w, steps); },
                                         [&] { return composed(xW, start, w, steps); });
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
