// Recurrent steps as one node each: the LSTM's and the GRU's, for the definitions in layers/recurrent/lstm.h and gru.h.
// Steps of padding leave a sentence's state as it was. std::invalid_argument: no step, sizes that do not fit, a length
// above S.
#pragma once

#include "autograd/ops/steps.h"

namespace softalign::autograd::fused {

// The LSTM's steps, for the definition in layers/recurrent/lstm.h.
// Gates before h_{t-1} U comes to them (see GateInputs), G = 4H in the order i f g o; U (H, 4H); the state before the
// first step h, c (B, H). Steps of padding leave a sentence's state as it was. std::invalid_argument: sizes that do not
// fit.
//   dc_t += dh_t o (1 - tanh(c_t)^2)        dc_{t-1} = dc_t f        dh_{t-1} = da_t U'        dU = sum_t h_{t-1}' da_t
//   da_t = [dc_t g i (1 - i)   dc_t c_{t-1} f (1 - f)   dc_t i (1 - g^2)   dh_t tanh(c_t) o (1 - o)]
LSTMSequence lstm(const GateInputs& gates, const Var& U, const Var& h, const Var& c, const Steps& steps);

// The GRU's steps, for the definition in layers/recurrent/gru.h. Gate order r z n, as PyTorch's.
// Gates before h_{t-1} U comes to them (see GateInputs), G = 3H; U (H, 3H), of PyTorch's form b_u (H) too; the state
// before the first step h (B, H)  ->  h of every step (S, B, H). Steps of padding leave a sentence's state as it was.
// std::invalid_argument: sizes that do not fit.
Var gru(GRUForm form, const GateInputs& gates, const Var& U, const Var& b_u, const Var& h, const Steps& steps);

}  // namespace softalign::autograd::fused
