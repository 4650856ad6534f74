// This file defines how a network reads and writes an external memory: Graves, Wayne & Danihelka 2014, "Neural Turing
// machines". A memory M (N, R, W) has N positions of W numbers for each of R rows of a batch. A head chooses positions
// by attention weights w (R, N), which sum to 1 (eq. 1). It chooses by content, by location, or both.
#pragma once

#include "autograd/ops/address.h"
#include "layers/dense/linear.h"

namespace softalign::layers {

using autograd::Address;  // a head's k, beta, g, s and gamma

// Returns the cosine K[k, M_i] of a key k (R, W) and each position M_i of the memory. The result is (R, N).
// K[k, M_i] = k . M_i / (|k| |M_i|)         Graves et al. 2014, eq. 6; 0 for a row of zeros       k (R, W)  ->  (R, N)
Var cosines(const Var& k, const Var& M);

// Computes the weights w (R, N) of a head in four stages. First, the key k of strength beta finds positions by their
// content: the weights w^c depend on the cosines K[k, M_i] (eq. 5). Second, the gate g mixes w^c with w' (R, N), the
// weights of the step before, to w^g (eq. 7). Third, the weights s shift w^g to neighbouring positions, which gives w~;
// the last position is next to the first (eq. 8). Fourth, the exponent gamma sharpens w~ to w (eq. 9).
// autograd/kernels/fused/addressing.cpp computes all stages in one operation.
// w^c_i = softmax_i(beta K[k, M_i])                                        eq. 5; by content
// w^g   = g w^c + (1 - g) w'                                               eq. 7; mixed
// w~_i  = sum_j w^g_j s(i - j)                                             eq. 8; shifted
// w_i   = w~_i^gamma / sum_j w~_j^gamma = softmax_i(gamma log w~_i)        eq. 9; sharpened
Var address(const Address& a, const Var& before, const Var& M);

// Returns what a head reads, r (R, W): the sum of the positions M_i, weighted by w_i.
// r = sum_i w_i M_i                                                        eq. 2                     (R, W)
Var memory_read(const Var& M, const Var& w);

// Writes to the memory M (N, R, W) with one head. The head has a weight w_i for each position i, numbers e (R, W) from
// 0 to 1 that say what to erase, and numbers a (R, W) to add. At position i, it first erases the fraction w_i e of M_i,
// which gives M~_i, and then adds w_i a. The result is M'.
// M~_i = M_i (1 - w_i e)                                                   eq. 3; erases
// M'_i = M~_i + w_i a                                                      eq. 4; adds               (N, R, W)
Var memory_write(const Var& M, const Var& w, const Var& e, const Var& a);

// A Head computes its address from the state h (R, H) of the network that controls the memory. A linear layer returns W
// + 6 numbers per row: the key k, its strength beta, the gate g, three weights s of shifts, and the sharpness gamma.
// These functions bring the last six numbers into their ranges, where `..` is the output of the linear layer:
//   beta = softplus(..)                                                    section 3.3.1
//   g = sigmoid(..)                                                        section 3.3.2
//   s = softmax(..) over shifts of -1, 0 and 1                             section 3.3.2
//   gamma = 1 + softplus(..)                                               section 3.3.2
struct Head {
  std::size_t W;
  Linear says;  // (H, W + 6) for k, beta, g, s and gamma

  Head(const Params& p, std::size_t H, std::size_t width, const Initialiser& init)
      : W(width), says(p, H, width + 6, init) {}
  Address operator()(const Var& h) const;
};

// WritingHead also computes the numbers e that a head erases and the numbers a that it adds. `..` is the output of a
// linear layer:
//     e = sigmoid(..)    a = tanh(..)
struct WritingHead {
  Head head;
  Linear erase, add;  // (H, W)

  WritingHead(const Params& p, std::size_t H, std::size_t W, const Initialiser& init)
      : head(p, H, W, init), erase(p / "erase", H, W, init), add(p / "add", H, W, init) {}

  struct Written {
    Var w, M;
  };
  Written operator()(const Var& h, const Var& before, const Var& M) const;
};

}  // namespace softalign::layers
