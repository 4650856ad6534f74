// These fused ops choose positions of an external memory and write to them (autograd/ops/fused.h). Their definitions,
// composed of simple ops, are in layers/addressing/addressing.cpp.
#pragma once

#include "autograd/kernels.h"
#include "autograd/ops/address.h"
#include "autograd/var.h"

namespace softalign::autograd::fused {

// Returns the weights w (R, N) with which a head attends to the N positions of a memory M (N, R, W), for each of R
// rows. A position has W numbers. The head has a key k, its strength beta, a gate g, shifts s and a sharpness gamma
// (autograd/ops/address.h). w' (R, N) has the weights of the step before, and c_i is the cosine of the key and position
// i. The weights v come from the cosines, u mixes them with w', and z shifts u.
//   c_i = k . M_i / (|k| |M_i|)    v = softmax(beta c)    u = g v + (1 - g) w'    z_i = sum_j u_j s(i - j)
//   w = softmax(gamma log z), which is z_i^gamma / sum_j z_j^gamma
// The backward pass computes these gradients, with the short names p = w (dw - sum dw w) and q:
//   dgamma = sum p log z    dz = gamma p / z    ds(d) = sum_i dz_i u_(i-d)    du_j = sum_d dz_(j+d) s(d)
//   dg = sum du (v - w')    dw' = (1 - g) du    q = v (g du - sum g du v)    dbeta = sum q c    dc = beta q
//   dk = sum_i dc_i (M_i / (|k| |M_i|) - c_i k / |k|^2)        dM_i = dc_i (k / (|k| |M_i|) - c_i M_i / |M_i|^2)
// Throws std::invalid_argument if there are no positions, or if the number of shifts is even. The op has 8 times the
// speed of the definition for 10 positions of 128 numbers (batch 32), and 34 times for 30 positions of 512 numbers
// (batch 80).
Var address(const Address& a, const Var& before, const Var& M);

// Writes to a memory M (N, R, W), which has N positions of W numbers for each of R rows. At position i, a head with the
// weight w_i erases the part w_i e of the memory and adds w_i a. w is (R, N), and e and a are (R, W). dM, dw, de and da
// are the gradients. The result is (N, R, W).
// M'_i = M_i (1 - w_i e) + w_i a
//   dM_i = dM'_i (1 - w_i e)    dw_i = dM'_i . (a - M_i e)    de = -sum_i dM'_i M_i w_i    da = sum_i dM'_i w_i
// The op has 7 times the speed of the definition.
Var memory_write(const Var& M, const Var& w, const Var& e, const Var& a);

}  // namespace softalign::autograd::fused
