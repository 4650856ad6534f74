// This file defines the gated recurrent unit (GRU) of Cho et al. 2014, "Learning phrase representations using RNN
// encoder-decoder for statistical machine translation", and PyTorch's form of the GRU. Each gate has a third of the
// columns of W, U and b, in the order r (reset), z (update) and n (candidate). docs/notation.md explains the notation.
#pragma once

#include <vector>

#include "autograd/ops/fused.h"
#include "layers/init.h"
#include "layers/recurrent/gate_inputs.h"

namespace softalign::layers {

using autograd::GRUForm;

// Computes one step of R rows from the state h (R, H) of H numbers and the inputs x (R, 3H) of the gates. These inputs
// are the product of a word vector and W, plus b, and sometimes plus a context. r is the reset gate, z the update gate,
// n the candidate, and h' the new state. x_r, x_z, x_n, U_r, U_z and U_n are the columns of x and U for each gate. The
// form of Cho et al. 2014 is written as in Bahdanau et al. 2015, where z is the weight of the candidate n:
//   r = sigmoid(x_r + h U_r)                Cho et al. 2014, eq. 5
//   z = sigmoid(x_z + h U_z)                eq. 6
//   n = tanh(x_n + (r * h) U_n)             eq. 8
//   h' = (1 - z) * h + z * n                eq. 7; Bahdanau et al. 2015, appendix A.1.1
// The form of torch.nn.GRU and cuDNN has the same r and z, other formulas for n and h', and one more bias b_u (H):
//   n = tanh(x_n + r * (h U_n + b_u))       h' = (1 - z) * n + z * h
inline Var gru_step(GRUForm form, const Var& x, const Var& h, const Var& U, const Var& b_u) {
  const std::size_t H = h.dim(1);
  const Var rz = sigmoid(slice(x, 1, 0, 2 * H) + matmul(h, slice(U, 1, 0, 2 * H)));
  const Var r = slice(rz, 1, 0, H), z = slice(rz, 1, H, 2 * H);
  const Var x_n = slice(x, 1, 2 * H, 3 * H), U_n = slice(U, 1, 2 * H, 3 * H);
  if (form == GRUForm::cho) {
    const Var n = tanh(x_n + matmul(r * h, U_n));
    return (Real(1) - z) * h + z * n;
  }
  const Var n = tanh(x_n + r * affine(h, U_n, b_u));
  return (Real(1) - z) * n + z * h;
}

// Computes the states (S, B, H) after each of the S steps for B sentences, with H numbers per state. `in` has x W + b
// and further inputs of the gates (layers/recurrent/gate_inputs.h). Padding does not change a state. The fused form
// computes all steps in one op (autograd/kernels/fused/recurrent.cpp).
inline Var gru(GRUForm form, const GateInputs& in, const Var& U, const Var& b_u, const Var& before,
               const Steps& steps) {
  return autograd::dispatch<autograd::FusedOp::gru>(
      [&] { return autograd::fused::gru(form, in, U, b_u, before, steps); },
      [&] {
        const Var x = sum_of(in, steps);  // (S, B, 3H)
        std::vector<Var> h(steps.S);
        Var s = before;
        for (std::size_t i = 0; i < steps.S; ++i) {
          const std::size_t t = steps.at(i);
          h[t] = s = keep_padding(steps, t, gru_step(form, at(x, t), s, U, b_u), s);
        }
        return autograd::stack(h);
      });
}

struct GRU {
  GRUForm form;
  Var W;    // (E, 3H)  input  -> r z n
  Var U;    // (H, 3H)  hidden -> r z n
  Var b;    // (3H)
  Var b_u;  // (H)      PyTorch's form only: inside the reset gate

  GRU(const Params& p, std::size_t E, std::size_t H, const InitialiserConfig& init, GRUForm f)
      : form(f),
        W(p.declare("W", {E, 3 * H}, init.input(3))),
        U(p.declare("U", {H, 3 * H}, init.recurrent(3))),
        b(p.declare("b", {3 * H}, zeros())) {
    if (form == GRUForm::pytorch) b_u = p.declare("b_u", {H}, zeros());
  }

  // Returns x W + b for any number of steps at once. A step has E numbers in x (.., E), and 3H in the result (.., 3H).
  Var project(const Var& x) const { return affine(x, W, b); }

  // Returns x, W and b separately. The op that computes all steps then also computes x W + b.
  GateInputs read(const Var& x) const { return {b, {{x, W}}}; }

  // Computes one step of R rows from the inputs of the gates: x W + b (R, 3H) and further inputs. A state has H
  // numbers.
  Var step(const GateInputs& in, const Var& h) const { return at(gru(form, in, U, b_u, h, {1, h.dim(0)}), 0); }
  Var operator()(const Var& x, const Var& h) const { return step(read(x), h); }
};

}  // namespace softalign::layers
