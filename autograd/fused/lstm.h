// LSTM of Hochreiter & Schmidhuber 1997 with the forget gate of Gers et al. 2000. Gate order i f g o.
//   i, f, o = sigmoid(.)    g = tanh(.)        from gates = x W + h U + b
//   c' = f * c + i * g      h' = o * tanh(c')
// Letters: B sentences, S steps, R rows, H hidden.
#pragma once

#include <cstddef>
#include <vector>

#include "autograd/fused/direction.h"
#include "autograd/var.h"

namespace autograd::inline SOFTALIGN_PRECISION {

struct LSTMState {
  Var h, c;  // each (R, H)
};

// One step from gate pre-activations (R, 4H) and c (R, H).
LSTMState lstm_cell(Var gates, const Var& c);

struct LSTMSequence {
  Var h;           // (S*B, H) time-major
  LSTMState last;  // (B, H) after the last step taken: the last word forwards, the first word backwards
};

// A whole sequence as one node, from xW = x W + b for every step (S*B, 4H), U (H, 4H) and the state before the first
// step (undefined Vars: zeros). Steps t >= lengths[b] are padding: they leave sentence b's state as it was.
LSTMSequence lstm_sequence(Var xW, const Var& U, const LSTMState& before, const std::vector<std::size_t>& lengths,
                           Direction direction);

}  // namespace autograd::inline SOFTALIGN_PRECISION
