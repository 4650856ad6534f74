// GRU of Cho et al. 2014, "Learning phrase representations using RNN encoder-decoder for statistical machine
// translation". Gate order r z n, as PyTorch's. Letters: B sentences, S steps, R rows, H hidden.
#pragma once

#include <cstddef>
#include <vector>

#include "autograd/fused/direction.h"
#include "autograd/var.h"

namespace autograd::inline SOFTALIGN_PRECISION {

// Where the reset gate acts, and which way the update gate points. x_r, x_z, x_n are the columns of x W + b; a context
// that enters all three gates, as in the decoder of Bahdanau et al. 2015 (appendix A.2.2), is part of them.
//
//   cho (Cho et al. 2014, eq. 5-8; Bahdanau et al. 2015, appendix A.1.1, with their direction of z):
//     r, z = sigmoid(x + h U)      n = tanh(x_n + (r * h) U_n)             h' = (1 - z) * h + z * n
//   pytorch (torch.nn.GRU; cuDNN): the reset gate acts after the product, z points the other way
//     r, z = sigmoid(x + h U)      n = tanh(x_n + r * (h U_n + b_u))       h' = (1 - z) * n + z * h
enum class GRUForm { cho, pytorch };

// One step from x (R, 3H), h (R, H), U (H, 3H), and b_u (H) with GRUForm::pytorch (undefined with cho)  ->  h' (R, H).
Var gru_cell(Var x, const Var& h, const Var& U, const Var& b_u, GRUForm form);

struct GRUSequence {
  Var h;     // (S*B, H) time-major
  Var last;  // (B, H) after the last step taken: the last word forwards, the first word backwards
};

// A whole sequence as one node, from xW = x W + b for every step (S*B, 3H) and the state before the first step (B, H)
// (undefined: zeros). Steps t >= lengths[b] are padding: they leave sentence b's state as it was.
GRUSequence gru_sequence(Var xW, const Var& U, const Var& b_u, GRUForm form, const Var& before,
                         const std::vector<std::size_t>& lengths, Direction direction);

}  // namespace autograd::inline SOFTALIGN_PRECISION
