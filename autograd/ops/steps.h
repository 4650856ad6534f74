// This file defines types of the recurrent layers and their kernels: the steps of a sequence, the inputs of a cell, and
// its states. docs/notation.md explains sizes such as S and B.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "autograd/var.h"

namespace softalign::autograd {

enum class Direction { forward, backward };

// Steps says in which order a layer reads the S steps of B sentences, and which steps are padding.
struct Steps {
  std::size_t S, B;
  std::vector<std::size_t> lengths = {};  // (B) step t of sentence b is a word if t < lengths[b]; empty: all are words
  Direction direction = Direction::forward;

  std::size_t at(std::size_t i) const { return direction == Direction::forward ? i : S - 1 - i; }  // i-th step to read
  bool is_word(std::size_t t, std::size_t b) const { return lengths.empty() || t < lengths[b]; }
};

// A Term is one term x W of the sum that enters the gates of a cell. W is (K, G). x is (S, B, K), or (B, K) for one
// step.
struct Term {
  Var x, W;
};

// GateInputs has the sums a + sum_k x_k W_k that enter the gates of a recurrent cell. The cell later adds h_{t-1} U,
// the product of state and weights. a is a bias (G), or numbers (S, B, G) that are computed already. Each term x_k W_k
// is a product of inputs and weights. dgates is the gradient with respect to the sums. It gives the other gradients:
//   dx_k = dgates W_k'       dW_k = x_k' dgates       da = dgates, summed over the rows if a is a bias
struct GateInputs {
  Var a;
  std::vector<Term> terms;

  GateInputs(const Var& numbers, std::vector<Term> products = {}) : a(numbers), terms(std::move(products)) {}
};
inline GateInputs operator+(GateInputs sum, Term product) {
  sum.terms.push_back(std::move(product));
  return sum;
}

struct LSTMSequence {
  Var h;               // (S, B, H)
  Var last_h, last_c;  // (B, H) after the last step: the last word forwards, the first word backwards
};

// GRUForm names two forms of a gated recurrent unit (GRU). In `cho`, the reset gate r multiplies the old state h, and z
// is the weight of the candidate n. In `pytorch`, r multiplies the product of h and U_n, and z is the weight of h. h'
// is the new state. x_n is the input of the candidate n, and U_n and b_u are weights.
//   cho        n = tanh(x_n + (r * h) U_n)             h' = (1 - z) * h + z * n       Cho et al. 2014
//   pytorch    n = tanh(x_n + r * (h U_n + b_u))       h' = (1 - z) * n + z * h       torch.nn.GRU, cuDNN
enum class GRUForm { cho, pytorch };

}  // namespace softalign::autograd
