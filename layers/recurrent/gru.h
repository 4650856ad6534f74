// This file defines the GRU of Cho et al. 2014, "Learning phrase representations using RNN encoder-decoder for
// statistical machine translation", and PyTorch's form of it. Each gate has a third of W, U and b, in the order r z n.
// docs/notation.md explains the letters.
#pragma once

#include <vector>

#include "autograd/ops/fused.h"
#include "layers/init.h"
#include "layers/recurrent/gate_inputs.h"

namespace softalign::layers {

using autograd::GRUForm;

// Computes one step from x = x W + b (R, 3H), to which a context may have been added, and from h (R, H).
//   r, z = sigmoid(x + h U)
//   n = tanh(x_n + (r * h) U_n)             h' = (1 - z) * h + z * n      Cho et al. 2014, eq. 5-8, with the z of
//                                                                         Bahdanau et al. 2015, appendix A.1.1
//   n = tanh(x_n + r * (h U_n + b_u))       h' = (1 - z) * n + z * h      torch.nn.GRU; cuDNN
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

// Computes all steps (S, B, H), from x W + b and other inputs of the gates (layers/recurrent/gate_inputs.h). Padding
// keeps the state. The fused form is one node (autograd/kernels/fused/recurrent.cpp).
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

  // Returns x W + b for any number of steps at once: (.., E) -> (.., 3H).
  Var project(const Var& x) const { return affine(x, W, b); }

  // Returns the same input without its products. The op for all steps computes them.
  GateInputs read(const Var& x) const { return {b, {{x, W}}}; }

  // Computes one step of R rows from x W + b (R, 3H), which may be computed already, and from other inputs of the
  // gates.
  Var step(const GateInputs& in, const Var& h) const { return at(gru(form, in, U, b_u, h, {1, h.dim(0)}), 0); }
  Var operator()(const Var& x, const Var& h) const { return step(read(x), h); }
};

}  // namespace softalign::layers
