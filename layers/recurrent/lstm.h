// This file defines the LSTM of Hochreiter & Schmidhuber 1997, with the forget gate of Gers et al. 2000. Its gates are
// i (input), f (forget) and o (output), and g is the candidate for the new cell state c'. x is the input, h the old
// state and h' the new one, and W, U and b are learned. The sign * multiplies element by element.
//
//   i, f, o = sigmoid(x W + h U + b)        g = tanh(x W + h U + b)
//   c' = f * c + i * g                      h' = o * tanh(c')
//
// Each gate has its quarter of the columns of W, U and b, in the order i f g o. docs/notation.md explains the notation.
#pragma once

#include <utility>
#include <vector>

#include "autograd/ops/fused.h"
#include "layers/init.h"
#include "layers/recurrent/gate_inputs.h"

namespace softalign::layers {

struct LSTMState {
  Var h, c;  // each (R, H)
};

// Computes one step of R rows with H numbers each, from the cell state c (R, H) and the sums inside the gates, a = x W
// + h U + b (R, 4H).
inline LSTMState lstm_step(const Var& a, const Var& c) {
  const std::size_t H = c.dim(1);
  const Var i = sigmoid(slice(a, 1, 0, H)), f = sigmoid(slice(a, 1, H, 2 * H));
  const Var g = tanh(slice(a, 1, 2 * H, 3 * H)), o = sigmoid(slice(a, 1, 3 * H, 4 * H));
  const Var c_next = f * c + i * g;
  return {o * tanh(c_next), c_next};
}

// Computes all steps, from x W + b and further inputs of the gates (layers/recurrent/gate_inputs.h). Padding does not
// change a state. The fused form computes all steps in one op (autograd/kernels/fused/recurrent.cpp).
inline autograd::LSTMSequence lstm(const GateInputs& in, const Var& U, const LSTMState& before, const Steps& steps) {
  return autograd::dispatch<autograd::FusedOp::lstm>(
      [&] { return autograd::fused::lstm(in, U, before.h, before.c, steps); },
      [&] {
        const Var a = sum_of(in, steps);  // (S, B, 4H)
        std::vector<Var> h(steps.S);
        LSTMState s = before;
        for (std::size_t i = 0; i < steps.S; ++i) {
          const std::size_t t = steps.at(i);
          const LSTMState next = lstm_step(at(a, t) + matmul(s.h, U), s.c);
          s = {keep_padding(steps, t, next.h, s.h), keep_padding(steps, t, next.c, s.c)};
          h[t] = s.h;
        }
        return autograd::LSTMSequence{autograd::stack(h), s.h, s.c};
      });
}

struct LSTM {
  Var W;  // (E, 4H)  input  -> i f g o
  Var U;  // (H, 4H)  hidden -> i f g o
  Var b;  // (4H)

  LSTM(const Params& p, std::size_t E, std::size_t H, const InitialiserConfig& init)
      : W(p.declare("W", {E, 4 * H}, init.input(4))),
        U(p.declare("U", {H, 4 * H}, init.recurrent(4))),
        b(p.declare("b", {4 * H}, zeros())) {}

  // Returns x W + b for any number of steps at once: (.., E) -> (.., 4H).
  Var project(const Var& x) const { return affine(x, W, b); }

  // Returns x, W and b without multiplying them. The op that computes all steps can then compute x W + b, too.
  GateInputs read(const Var& x) const { return {b, {{x, W}}}; }

  // Computes one step of R rows with states of size H. `in` has the inputs of the gates: x W + b (R, 4H), and
  // optionally more inputs. `s` is the state before the step.
  LSTMState step(const GateInputs& in, const LSTMState& s) const {
    const autograd::LSTMSequence y = lstm(in, U, s, {1, s.h.dim(0)});
    return {y.last_h, y.last_c};
  }
  LSTMState operator()(const Var& x, const LSTMState& s) const { return step(read(x), s); }
};

}  // namespace softalign::layers
