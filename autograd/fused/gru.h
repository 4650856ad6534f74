// The GRU's steps as one node, for the definition in layers/recurrent/gru.h. Gate order r z n, as PyTorch's.
#pragma once

#include "autograd/fused/steps.h"

namespace softalign::autograd {

// Where the reset gate acts, and which way the update gate points:
//   cho        n = tanh(x_n + (r * h) U_n)             h' = (1 - z) * h + z * n       Cho et al. 2014, eq. 5-8
//   pytorch    n = tanh(x_n + r * (h U_n + b_u))       h' = (1 - z) * n + z * h       torch.nn.GRU, cuDNN
enum class GRUForm { cho, pytorch };

namespace fused {

// Gates before h_{t-1} U comes to them (see GateInputs), G = 3H; U (H, 3H), of PyTorch's form b_u (H) too; the state
// before the first step h (B, H)  ->  h of every step (S, B, H). Steps of padding leave a sentence's state as it was.
// std::invalid_argument: sizes that do not fit.
Var gru(GRUForm form, const GateInputs& gates, const Var& U, const Var& b_u, const Var& h, const Steps& steps);

}  // namespace fused
}  // namespace softalign::autograd
