#include "autograd/fused/lstm.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "autograd/fused/internal/recurrence.h"
#include "autograd/linalg/internal/simd.h"
#include "autograd/ops/shape.h"
#include "autograd/storage/parallel_for.h"

namespace softalign::autograd::fused {
namespace {

// gates (4H): pre-activations in, activations i f g o out.
//   c' = f c + i g       h' = o tanh(c')
void step(Real* __restrict gates, const Real* __restrict c, Real* __restrict c_next, Real* __restrict h_next,
          std::size_t H) {
  for_lanes(H, [&](std::size_t k, std::size_t n) {
    const Lanes i = sigmoid(load(gates + k, n)), f = sigmoid(load(gates + H + k, n));
    const Lanes g = tanh(load(gates + 2 * H + k, n)), o = sigmoid(load(gates + 3 * H + k, n));
    const Lanes next = f * load(c + k, n) + i * g;
    store(gates + k, i, n);
    store(gates + H + k, f, n);
    store(gates + 2 * H + k, g, n);
    store(gates + 3 * H + k, o, n);
    store(c_next + k, next, n);
    store(h_next + k, o * tanh(next), n);
  });
}

// From dh' and dc': gates (4H) hold the activations on entry and the gradients by the pre-activations afterwards, dc
// the gradient by c' on entry and by c afterwards.
//   dc' += dh' o (1 - tanh(c')^2)
//   di = dc' g i (1 - i)    df = dc' c f (1 - f)    dg = dc' i (1 - g^2)    do = dh' tanh(c') o (1 - o)    dc = dc' f
void step_backward(Real* __restrict gates, const Real* __restrict c, const Real* __restrict c_next,
                   const Real* __restrict dh, Real* __restrict dc, std::size_t H) {
  const Lanes one(Real(1));
  for_lanes(H, [&](std::size_t k, std::size_t n) {
    const Lanes i = load(gates + k, n), f = load(gates + H + k, n), g = load(gates + 2 * H + k, n),
                o = load(gates + 3 * H + k, n);
    const Lanes tanh_c = tanh(load(c_next + k, n)), dh_next = load(dh + k, n);
    const Lanes dc_next = load(dc + k, n) + dh_next * o * (one - tanh_c * tanh_c);
    store(gates + k, dc_next * g * i * (one - i), n);
    store(gates + H + k, dc_next * load(c + k, n) * f * (one - f), n);
    store(gates + 2 * H + k, dc_next * i * (one - g * g), n);
    store(gates + 3 * H + k, dh_next * tanh_c * o * (one - o), n);
    store(dc + k, dc_next * f, n);
  });
}

struct LSTM {
  GateInputs inputs;
  Var U, h_0, c_0;
  Steps steps;
  std::size_t H;
  Array gates;  // (S*B, 4H) activations i f g o, and on the way back the gradients by their pre-activations
  Array c;      // (S-1, B, H) after each step but the last, in the order in which they come

  // y (S+1, B, H): h of every step, and below them the last c.
  const Real* h_before(const Array& y, std::size_t i) const {
    return i ? rows(y, steps.at(i - 1)) : h_0.value().data();
  }
  const Real* c_before(std::size_t i) const { return i ? rows(c, i - 1) : c_0.value().data(); }
  const Real* c_after(const Array& y, std::size_t i) const { return i + 1 < steps.S ? rows(c, i) : rows(y, steps.S); }
  const Real* rows(const Array& x, std::size_t t) const { return x.data() + t * steps.B * H; }

  Array forward();
  void backward(const Array& dy, const Array& y);
};

Array LSTM::forward() {
  const std::size_t S = steps.S, B = steps.B;
  Array y({S + 1, B, H});
  const Factor recurrent = recurrent_factor(U, matrix(U.value()), steps);
  for (std::size_t i = 0; i < S; ++i) {
    const std::size_t t = steps.at(i);
    const Real *h = h_before(y, i), *before = c_before(i);
    Real *const gates_t = gates.data() + t * B * 4 * H, *const h_t = y.data() + t * B * H;
    Real* const c_t = const_cast<Real*>(c_after(y, i));
    gemm({h, B, H, H}, recurrent, gates_t, 4 * H, Into::add);
    parallel_for(0, B, B * H >= parallel_from, [&](std::size_t b) {
      if (steps.is_word(t, b)) {
        step(gates_t + b * 4 * H, before + b * H, c_t + b * H, h_t + b * H, H);
      } else {
        std::copy_n(h + b * H, H, h_t + b * H);
        std::copy_n(before + b * H, H, c_t + b * H);
      }
    });
  }
  return y;
}

// Walks the steps in reverse. dh and dc (B, H) hold the gradient of the state after the step, then before it.
void LSTM::backward(const Array& dy, const Array& y) {
  const std::size_t S = steps.S, B = steps.B;
  Factor back = recurrent_factor(U, t(matrix(U.value())), steps);
  Array dc = dy.rows(S, S + 1).reshaped({B, H}).clone(),
        dh = dy.rows(steps.at(S - 1), steps.at(S - 1) + 1).reshaped({B, H});
  for (std::size_t i = S; i-- > 0;) {
    const std::size_t t = steps.at(i);
    const Real *const before = c_before(i), *const after = c_after(y, i);
    Real* const dgates = gates.data() + t * B * 4 * H;
    parallel_for(0, B, B * H >= parallel_from, [&](std::size_t b) {
      if (steps.is_word(t, b)) {
        step_backward(dgates + b * 4 * H, before + b * H, after + b * H, std::as_const(dh).data() + b * H,
                      dc.data() + b * H, H);
      } else {
        std::fill_n(dgates + b * 4 * H, 4 * H, Real(0));
      }
    });
    Array dh_before({B, H});
    gemm({dgates, B, 4 * H, 4 * H}, back, dh_before, Into::overwrite);
    for (std::size_t b = 0; b < B; ++b)
      if (!steps.is_word(t, b)) std::copy_n(std::as_const(dh).data() + b * H, H, dh_before.data() + b * H);
    if (i > 0) add_into(dh_before, dy.rows(steps.at(i - 1), steps.at(i - 1) + 1).reshaped({B, H}));
    dh = dh_before;
  }
  back = {};
  add_recurrent_gradient(U, y.rows(0, S), h_0.value(), gates, steps, {0, 4 * H});
  inputs.add_gradients(gates);
  h_0.add_grad(dh);
  c_0.add_grad(dc);
}

}  // namespace

LSTMSequence lstm(const GateInputs& gates, const Var& U, const Var& h, const Var& c, const Steps& steps) {
  steps.check("lstm");
  const std::size_t S = steps.S, B = steps.B, H = U.shape().rank() == 2 ? U.dim(0) : 0;
  if (!(U.shape() == Shape{H, 4 * H}) || !(h.shape() == Shape{B, H}) || !(c.shape() == Shape{B, H}))
    throw std::invalid_argument(fmt::format("lstm: U {}, h {} and c {} do not fit; (H, 4H), ({}, H), ({}, H) expected",
                                            to_string(U.shape()), to_string(h.shape()), to_string(c.shape()), B, B));
  const auto run =
      std::make_shared<LSTM>(LSTM{gates, U, h, c, steps, H, gates.sum("lstm", steps, 4 * H), Array({S - 1, B, H})});
  std::vector<Var> inputs{U, h, c};
  gates.append_to(inputs);
  const Var y("lstm", run->forward(), inputs, [run](const Array& dy, const Array& value) { run->backward(dy, value); });
  return {slice(y, 0, 0, S), at(y, steps.at(S - 1)), at(y, S)};
}

}  // namespace softalign::autograd::fused
