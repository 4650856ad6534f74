// LSTM: Hochreiter & Schmidhuber 1997, forget gate of Gers et al. 2000; the engine's ops are in autograd/fused/lstm.h.
#pragma once

#include <utility>

#include "autograd/fused/lstm.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "layers/init.h"

namespace layers {

struct LSTM {
  using State = autograd::LSTMState;  // h, c: each (R, H)
  Var W;                              // (E, 4H)  input  -> i f g o
  Var U;                              // (H, 4H)  hidden -> i f g o
  Var b;                              // (4H)

  LSTM(const Params& p, std::size_t E, std::size_t H, const Scheme& init)
      : W(p.declare("W", {E, 4 * H}, init.input(4))),
        U(p.declare("U", {H, 4 * H}, init.recurrent(4))),
        b(p.declare("b", {4 * H}, zeros())) {}

  // x W + b, for any number of steps at once: (.., E) -> (.., 4H)
  Var project(const Var& x) const { return affine(x, W, b); }

  // i, f, o = sigmoid(xW + hU + b)   g = tanh(xW + hU + b)   c' = f*c + i*g   h' = o*tanh(c')      from xW + b
  State step(Var xW, const State& s) const { return lstm_cell(std::move(xW) + matmul(s.h, U), s.c); }
  State operator()(const Var& x, const State& s) const { return step(project(x), s); }
};

}  // namespace layers
