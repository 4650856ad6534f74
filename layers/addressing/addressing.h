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

// Computes the weights w (R, N) of a head in four steps. First, the key k finds positions by their content (eq. 5).
// Second, the gate g mixes these weights with the weights w' of the step before (eq. 7). Third, s shifts the weights to
// neighbouring positions, where the last position is next to the first (eq. 8). Fourth, the exponent gamma sharpens
// them (eq. 9). The fused form computes them in one op (autograd/kernels/fused/addressing.cpp).
// w^c_i = softmax_i(beta K[k, M_i])                                        eq. 5; by content
// w^g   = g w^c + (1 - g) w'                                               eq. 7; or where it stood, w' (R, N)
// w~_i  = sum_j w^g_j s(i - j)                                             eq. 8; shifted, counted round the end
// w_i   = w~_i^gamma / sum_j w~_j^gamma = softmax_i(gamma log w~_i)        eq. 9; sharpened
Var address(const Address& a, const Var& before, const Var& M);

// Returns what a head reads, r (R, W): the sum of the positions M_i, weighted by w_i.
// r = sum_i w_i M_i                                                        eq. 2                     (R, W)
Var memory_read(const Var& M, const Var& w);

// Writes to the memory. A head with the weight w_i first erases a part of position i, as e (R, W) says, and then adds
// w_i a.
// M~_i = M_i (1 - w_i e)                                                   eq. 3; e (R, W) erases
// M'_i = M~_i + w_i a                                                      eq. 4; a (R, W) adds      (N, R, W)
Var memory_write(const Var& M, const Var& w, const Var& e, const Var& a);

// A Head computes its address from the state h (R, H) of the network that controls the memory. A linear layer returns W
// + 6 numbers per row, which these functions bring into their ranges:
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

// WritingHead also computes what a head writes: the numbers e that it erases and the numbers a that it adds.
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
