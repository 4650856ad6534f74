// GRU: Cho et al. 2014, or PyTorch's form; the engine's ops and the equations of both are in autograd/fused/gru.h.
#pragma once

#include <utility>

#include "autograd/fused/gru.h"
#include "autograd/ops/matmul.h"
#include "layers/init.h"

namespace layers {

struct GRU {
  autograd::GRUForm form;
  Var W;    // (E, 3H)  input  -> r z n
  Var U;    // (H, 3H)  hidden -> r z n
  Var b;    // (3H)
  Var b_u;  // (H)      PyTorch's form only: inside the reset gate

  GRU(const Params& p, std::size_t E, std::size_t H, const Scheme& init, autograd::GRUForm f)
      : form(f),
        W(p.declare("W", {E, 3 * H}, init.input(3))),
        U(p.declare("U", {H, 3 * H}, init.recurrent(3))),
        b(p.declare("b", {3 * H}, zeros())) {
    if (form == autograd::GRUForm::pytorch) b_u = p.declare("b_u", {H}, zeros());
  }

  // x W + b, for any number of steps at once: (.., E) -> (.., 3H)
  Var project(const Var& x) const { return affine(x, W, b); }

  // r, z = sigmoid(xW + hU)   n = tanh(xW + (r * h) U)   h' = (1 - z) * h + z * n      from xW + b; Cho's form
  Var step(Var xW, const Var& h) const { return gru_cell(std::move(xW), h, U, b_u, form); }
  Var operator()(const Var& x, const Var& h) const { return step(project(x), h); }
};

}  // namespace layers
