// One row of a GRU step, forward and backward. Pointers are __restrict parameters: only then do compilers vectorise.
// gates (3H) holds pre-activations x W + b on entry (with h U added in Cho's form), activations r z n afterwards.
#pragma once

#include "autograd/linalg/internal/simd.h"

namespace softalign::autograd {

// Cho's form needs r before the second product, so its row comes in two halves.
//   r, z = sigmoid(.)      reset = r h
inline void cho_reset_row(Real* __restrict gates, const Real* __restrict h, Real* __restrict reset, std::size_t H) {
  for_lanes(H, [&](std::size_t k, std::size_t n) {
    const Lanes r = sigmoid(load(gates + k, n)), z = sigmoid(load(gates + H + k, n));
    store(gates + k, r, n);
    store(gates + H + k, z, n);
    store(reset + k, r * load(h + k, n), n);
  });
}

//   n = tanh(.)            h' = (1 - z) h + z n
inline void cho_next_row(Real* __restrict gates, const Real* __restrict h, Real* __restrict h_next, std::size_t H) {
  const Lanes one(Real(1));
  for_lanes(H, [&](std::size_t k, std::size_t n) {
    const Lanes z = load(gates + H + k, n), candidate = tanh(load(gates + 2 * H + k, n));
    store(gates + 2 * H + k, candidate, n);
    store(h_next + k, (one - z) * load(h + k, n) + z * candidate, n);
  });
}

// From dh' (in `dh`): what does not pass through r. z and n of gates become dz and dn, dh' becomes dh.
//   dz = dh' (n - h) z (1 - z)      dn = dh' z (1 - n^2)      dh = dh' (1 - z)
inline void cho_next_row_backward(Real* __restrict gates, const Real* __restrict h, Real* __restrict dh,
                                  std::size_t H) {
  const Lanes one(Real(1));
  for_lanes(H, [&](std::size_t k, std::size_t n) {
    const Lanes z = load(gates + H + k, n), candidate = load(gates + 2 * H + k, n), dh_next = load(dh + k, n);
    store(gates + H + k, dh_next * (candidate - load(h + k, n)) * z * (one - z), n);
    store(gates + 2 * H + k, dh_next * z * (one - candidate * candidate), n);
    store(dh + k, dh_next * (one - z), n);
  });
}

// From dreset = dn U_n'. r of gates becomes dr, and dreset becomes reset = r h once more.
//   dr = dreset h r (1 - r)         dh += dreset r
inline void cho_reset_row_backward(Real* __restrict gates, const Real* __restrict h, Real* __restrict dreset,
                                   Real* __restrict dh, std::size_t H) {
  const Lanes one(Real(1));
  for_lanes(H, [&](std::size_t k, std::size_t n) {
    const Lanes r = load(gates + k, n), before = load(h + k, n), d = load(dreset + k, n);
    store(gates + k, d * before * r * (one - r), n);
    store(dreset + k, r * before, n);
    add_store(dh + k, d * r, n);
  });
}

// product (3H): h U on entry; its last third is u = h U_n + b_u afterwards, which the backward pass needs.
//   r, z = sigmoid(.)      n = tanh(. + r u)      h' = (1 - z) n + z h
inline void pytorch_row(Real* __restrict gates, Real* __restrict product, const Real* __restrict b_u,
                        const Real* __restrict h, Real* __restrict h_next, std::size_t H) {
  const Lanes one(Real(1));
  for_lanes(H, [&](std::size_t k, std::size_t n) {
    const Lanes r = sigmoid(load(gates + k, n) + load(product + k, n));
    const Lanes z = sigmoid(load(gates + H + k, n) + load(product + H + k, n));
    const Lanes u = load(product + 2 * H + k, n) + load(b_u + k, n);
    const Lanes candidate = tanh(load(gates + 2 * H + k, n) + r * u);
    store(gates + k, r, n);
    store(gates + H + k, z, n);
    store(gates + 2 * H + k, candidate, n);
    store(product + 2 * H + k, u, n);
    store(h_next + k, (one - z) * candidate + z * load(h + k, n), n);
  });
}

// The gradients by x come where the gates are, those by h U (+ b_u) where the product is; they differ in the candidate
// only. dh in place.
//   dz = dh' (h - n) z (1 - z)    dn = dh' (1 - z) (1 - n^2)    dr = dn u r (1 - r)    du = dn r    dh = dh' z
inline void pytorch_row_backward(Real* __restrict gates, Real* __restrict product, const Real* __restrict h,
                                 Real* __restrict dh, std::size_t H) {
  const Lanes one(Real(1));
  for_lanes(H, [&](std::size_t k, std::size_t n) {
    const Lanes r = load(gates + k, n), z = load(gates + H + k, n), candidate = load(gates + 2 * H + k, n);
    const Lanes dh_next = load(dh + k, n);
    const Lanes dz = dh_next * (load(h + k, n) - candidate) * z * (one - z);
    const Lanes dn = dh_next * (one - z) * (one - candidate * candidate);
    const Lanes dr = dn * load(product + 2 * H + k, n) * r * (one - r);
    store(gates + k, dr, n);
    store(product + k, dr, n);
    store(gates + H + k, dz, n);
    store(product + H + k, dz, n);
    store(gates + 2 * H + k, dn, n);
    store(product + 2 * H + k, dn * r, n);
    store(dh + k, dh_next * z, n);
  });
}

}  // namespace softalign::autograd
