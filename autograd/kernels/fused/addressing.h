// Places of a memory: found by what stands there and by where a head was before, and written; for the definitions in
// layers/addressing/addressing.h.
#pragma once

#include "autograd/ops/address.h"

namespace softalign::autograd::fused {

// The weights of a head that stood at w' (R, N) over a memory M (N, R, W), each row its own  ->  (R, N):
//   c_i = k . M_i / (|k| |M_i|)    v = softmax(beta c)    u = g v + (1 - g) w'    z_i = sum_j u_j s(i - j)
//   w = softmax(gamma log z), which is z_i^gamma / sum_j z_j^gamma
// Backwards, with p = w (dw - sum dw w):
//   dgamma = sum p log z    dz = gamma p / z    ds(d) = sum_i dz_i u_(i-d)    du_j = sum_d dz_(j+d) s(d)
//   dg = sum du (v - w')    dw' = (1 - g) du    q = v (g du - sum g du v)    dbeta = sum q c    dc = beta q
//   dk = sum_i dc_i (M_i / (|k| |M_i|) - c_i k / |k|^2)        dM_i = dc_i (k / (|k| |M_i|) - c_i M_i / |M_i|^2)
// std::invalid_argument: sizes that do not fit, a memory without a place, an even number of shifts.
Var address(const Address& a, const Var& before, const Var& M);

// M_i (1 - w_i e) + w_i a      M (N, R, W)  w (R, N)  e, a (R, W)  ->  (N, R, W)
//   dM_i = dM'_i (1 - w_i e)    dw_i = dM'_i . (a - M_i e)    de = -sum_i dM'_i M_i w_i    da = sum_i dM'_i w_i
// std::invalid_argument: sizes that do not fit.
Var memory_write(const Var& M, const Var& w, const Var& e, const Var& a);

}  // namespace softalign::autograd::fused
