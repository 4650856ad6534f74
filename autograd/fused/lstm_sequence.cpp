#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "autograd/fused/internal/lstm_kernels.h"
#include "autograd/fused/internal/sequence.h"
#include "autograd/fused/kernels.h"
#include "autograd/fused/lstm.h"
#include "autograd/linalg/gemm.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"

namespace autograd::inline SOFTALIGN_PRECISION {
namespace {

// gates_t = xW_t + h_{t-1} U, then the cell; padding keeps the state: s_t = m_t s' + (1 - m_t) s_{t-1}
LSTMSequence composed(const Var& xW, const Var& U, const LSTMState& before, const Steps& steps) {
  std::vector<Var> h(steps.S);
  LSTMState s = before;
  for (const std::size_t t : steps.order) {
    const LSTMState next = lstm_cell(slice(xW, 0, t * steps.B, (t + 1) * steps.B) + matmul(s.h, U), s.c);
    s = {steps.keep_padding(t, next.h, s.h), steps.keep_padding(t, next.c, s.c)};
    h[t] = s.h;
  }
  return {concat(h, 0), s};
}

// What the backward pass needs of the forward one.
struct Tape {
  Array gates;    // (S*B, 4H) activations i f g o, and on the way back the gradients by their pre-activations
  Array c;        // (S*B, H)
  Array dc_last;  // (B, H) arrives from whoever reads the last c
};

// tape.gates holds xW on entry.
void forward(const Array& U, const LSTMState& before, const Steps& steps, Tape& tape, Array& h) {
  const std::size_t B = steps.B, H = h.dim(1);
  const Real* h_before = before.h.value().data();
  const Real* c_before = before.c.value().data();
  const Factor recurrent = factor(matrix(U), B);
  for (const std::size_t t : steps.order) {
    Real *gates = tape.gates.data() + t * B * 4 * H, *h_t = h.data() + t * B * H, *c_t = tape.c.data() + t * B * H;
    gemm({h_before, B, H, H}, recurrent, gates, 4 * H, Into::add);
#pragma omp parallel for schedule(static) if (B * H >= parallel_from)
    for (std::size_t b = 0; b < B; ++b) {
      if (t < steps.lengths[b]) {
        lstm_row(gates + b * 4 * H, c_before + b * H, c_t + b * H, h_t + b * H, H);
      } else {
        std::copy_n(h_before + b * H, H, h_t + b * H);
        std::copy_n(c_before + b * H, H, c_t + b * H);
      }
    }
    h_before = h_t;
    c_before = c_t;
  }
}

// Walks the steps in reverse. dh and dc (B, H) hold the gradient of the state after the step, then before it.
void backward_pass(const Array& dy, const Array& h, const Var& xW, const Var& U, const LSTMState& before,
                   const Steps& steps, Tape& tape) {
  const std::size_t B = steps.B, H = h.dim(1);
  const Factor back = factor(autograd::t(matrix(U.value())), B);
  Array dgates = tape.gates, dh = zeros({B, H}), dc = tape.dc_last.defined() ? tape.dc_last.clone() : zeros({B, H});
  for (std::size_t i = steps.order.size(); i-- > 0;) {
    const std::size_t t = steps.order[i];
    const bool first = i == 0;
    const Real* c_before = first ? before.c.value().data() : tape.c.data() + steps.order[i - 1] * B * H;
    Real* dgates_t = dgates.data() + t * B * 4 * H;
#pragma omp parallel for schedule(static) if (B * H >= parallel_from)
    for (std::size_t b = 0; b < B; ++b) {
      Real* dh_b = dh.data() + b * H;
      const Real* dy_b = dy.data() + (t * B + b) * H;
      for (std::size_t k = 0; k < H; ++k) dh_b[k] += dy_b[k];
      if (t < steps.lengths[b]) {
        lstm_row_backward(dgates_t + b * 4 * H, c_before + b * H, tape.c.data() + (t * B + b) * H, dh_b,
                          dc.data() + b * H, H);
      } else {
        std::fill_n(dgates_t + b * 4 * H, 4 * H, Real(0));
      }
    }
    Array dh_before({B, H});
    gemm({dgates_t, B, 4 * H, 4 * H}, back, dh_before, Into::overwrite);
    for (std::size_t b = 0; b < B; ++b)
      if (t >= steps.lengths[b]) std::copy_n(dh.data() + b * H, H, dh_before.data() + b * H);
    dh = dh_before;
  }
  if (U.needs_grad()) steps.add_recurrent_gradient(h, before.h.value(), matrix(dgates), U.zeroed_grad().data(), 4 * H);
  xW.add_grad(dgates);
  before.h.add_grad(dh);
  before.c.add_grad(dc);
}

LSTMSequence fused(const Var& xW, const Var& U, const LSTMState& before, const Steps& steps) {
  const std::size_t B = steps.B, H = U.dim(0), SB = steps.S * B;
  Array h({SB, H});
  const auto tape = std::make_shared<Tape>(Tape{xW.spend(), Array({SB, H}), {}});
  forward(U.value(), before, steps, *tape, h);
  const Var states("lstm_sequence", h, {xW, U, before.h, before.c},
                   [=](const Array& dy, const Array& y) { backward_pass(dy, y, xW, U, before, steps, *tape); });
  const std::size_t last = steps.order.back() * B;
  const Var c_last("lstm_sequence", tape->c.rows(last, last + B).clone(), {states},
                   [states, tape](const Array& dc, const Array&) {
                     tape->dc_last = dc;
                     states.zeroed_grad();  // the walk must come to the sequence even where nothing reads h
                   });
  return {states, {slice(states, 0, last, last + B), c_last}};
}

}  // namespace

LSTMSequence lstm_sequence(Var xW, const Var& U, const LSTMState& before, const std::vector<std::size_t>& lengths,
                           Direction direction) {
  const std::size_t B = lengths.size(), H = U.shape().rank() == 2 ? U.dim(0) : 0;
  if (!(U.shape() == Shape{H, 4 * H}) || xW.shape().rank() != 2 || xW.dim(1) != 4 * H || B == 0 || xW.dim(0) % B)
    throw std::invalid_argument(
        fmt::format("lstm_sequence: xW {}, U {} and {} lengths do not fit; (S*B, 4H), (H, 4H), B expected",
                    to_string(xW.shape()), to_string(U.shape()), B));
  const Steps steps(xW.dim(0) / B, lengths, direction);
  const LSTMState start{steps.or_zeros(before.h, H), steps.or_zeros(before.c, H)};
  return dispatch<FusedOp::lstm_sequence>([&] { return fused(xW, U, start, steps); },
                                          [&] { return composed(xW, U, start, steps); });
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
