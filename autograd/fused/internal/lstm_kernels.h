// One row of an LSTM step, forward and backward. Pointers are __restrict parameters: only then do compilers vectorise.
#pragma once

#include "autograd/linalg/internal/simd.h"

namespace autograd::inline SOFTALIGN_PRECISION {

// gates (4H): pre-activations in, activations i f g o out.
//   c' = f c + i g       h' = o tanh(c')
inline void lstm_row(Real* __restrict gates, const Real* __restrict c, Real* __restrict c_next, Real* __restrict h_next,
                     std::size_t H) {
  for_lanes(H, [&](std::size_t k, std::size_t n) {
    const Lanes i = sigmoid(load(gates + k, n)), f = sigmoid(load(gates + H + k, n));
    const Lanes g = tanh(load(gates + 2 * H + k, n)), o = sigmoid(load(gates + 3 * H + k, n));
    const Lanes next = f * load(c + k, n) + i * g;
    store(gates + k, i, n);
    store(gates + H + k, f, n);
    store(gates + 2 * H + k, g, n);
    store(gates + 3 * H + k, o, n);
    store(c_next + k, next, n);
    store(h_next + k, o * tanh(next), n);
  });
}

// From dh' and dc': gates (4H) hold the activations on entry and the gradients by the pre-activations afterwards, dc
// the gradient by c' on entry and by c afterwards.
//   dc' += dh' o (1 - tanh(c')^2)
//   di = dc' g i (1 - i)    df = dc' c f (1 - f)    dg = dc' i (1 - g^2)    do = dh' tanh(c') o (1 - o)    dc = dc' f
inline void lstm_row_backward(Real* __restrict gates, const Real* __restrict c, const Real* __restrict c_next,
                              const Real* __restrict dh, Real* __restrict dc, std::size_t H) {
  const Lanes one(Real(1));
  for_lanes(H, [&](std::size_t k, std::size_t n) {
    const Lanes i = load(gates + k, n), f = load(gates + H + k, n), g = load(gates + 2 * H + k, n),
                o = load(gates + 3 * H + k, n);
    const Lanes tanh_c = tanh(load(c_next + k, n)), dh_next = load(dh + k, n);
    const Lanes dc_next = load(dc + k, n) + dh_next * o * (one - tanh_c * tanh_c);
    store(gates + k, dc_next * g * i * (one - i), n);
    store(gates + H + k, dc_next * load(c + k, n) * f * (one - f), n);
    store(gates + 2 * H + k, dc_next * i * (one - g * g), n);
    store(gates + 3 * H + k, dh_next * tanh_c * o * (one - o), n);
    store(dc + k, dc_next * f, n);
  });
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
