// Steps: which step of a whole sequence comes when, and which are padding.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "autograd/var.h"

namespace softalign::autograd {

enum class Direction { forward, backward };

struct Steps {
  std::size_t S, B;
  std::vector<std::size_t> lengths = {};  // (B) step t of sentence b is a word if t < lengths[b]; empty: all are
  Direction direction = Direction::forward;

  std::size_t at(std::size_t i) const { return direction == Direction::forward ? i : S - 1 - i; }  // the i-th to come
  bool is_word(std::size_t t, std::size_t b) const { return lengths.empty() || t < lengths[b]; }

  // std::invalid_argument naming the op: no step, or a length above S.
  void check(const char* op) const;
};

// A part of what a cell reads: x W, with x (S, B, K) and W (K, G), or with x (B, K) for one step.
struct Term {
  Var x, W;
};

// What a cell's gates are before h_{t-1} U comes to them: a + sum_k x_k W_k, for a bias a (G) or numbers a (S, B, G).
//   dx_k = dgates W_k'       dW_k = x_k' dgates       da = dgates, summed over the rows if it is a bias
struct GateInputs {
  Var a;
  std::vector<Term> terms;

  GateInputs(const Var& numbers, std::vector<Term> products = {}) : a(numbers), terms(std::move(products)) {}

  Array sum(const char* op, const Steps& steps,
            std::size_t G) const;  // (S*B, G); std::invalid_argument: sizes that do not fit
  void add_gradients(const Array& dgates) const;
  void append_to(std::vector<Var>& inputs) const;
};
inline GateInputs operator+(GateInputs sum, Term product) {
  sum.terms.push_back(std::move(product));
  return sum;
}

}  // namespace softalign::autograd
