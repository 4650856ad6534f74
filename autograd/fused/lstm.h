// The LSTM's steps as one node, for the definition in layers/recurrent/lstm.h.
#pragma once

#include "autograd/fused/steps.h"

namespace softalign::autograd {

struct LSTMSequence {
  Var h;               // (S, B, H)
  Var last_h, last_c;  // (B, H) after the last step taken: the last word forwards, the first word backwards
};

namespace fused {

// Gates before h_{t-1} U comes to them (see GateInputs), G = 4H in the order i f g o; U (H, 4H); the state before the
// first step h, c (B, H). Steps of padding leave a sentence's state as it was. std::invalid_argument: sizes that do not
// fit.
//   dc_t += dh_t o (1 - tanh(c_t)^2)        dc_{t-1} = dc_t f        dh_{t-1} = da_t U'        dU = sum_t h_{t-1}' da_t
//   da_t = [dc_t g i (1 - i)   dc_t c_{t-1} f (1 - f)   dc_t i (1 - g^2)   dh_t tanh(c_t) o (1 - o)]
LSTMSequence lstm(const GateInputs& gates, const Var& U, const Var& h, const Var& c, const Steps& steps);

}  // namespace fused
}  // namespace softalign::autograd
