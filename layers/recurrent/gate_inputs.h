// This file defines two computations that all recurrent cells share. One sums all inputs of the gates. The other keeps
// the state of a sentence unchanged on padding. docs/notation.md explains the notation.
#pragma once

#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/steps.h"
#include "layers/types.h"

namespace softalign::layers {

using autograd::Direction;
using autograd::GateInputs;
using autograd::Steps;
using autograd::Term;

// Returns the sum of all inputs of the gates, with G numbers for each of S steps and B sentences. a is a bias, and each
// x_k W_k is a product of an input and its weights.
// a + sum_k x_k W_k                                     (S, B, G)
inline Var sum_of(const GateInputs& in, const Steps& steps) {
  Var sum = in.a;
  for (const Term& term : in.terms) sum = matmul(term.x, term.W) + sum;
  return reshape(sum, {steps.S, steps.B, sum.shape().back()});
}

// Returns the state after step t: the new state `next`, or the old state `before` if the sentence has already ended.
// m_t next + (1 - m_t) before (B, H)         m_t is 1 if step t is a word of the sentence, and 0 if it is padding
inline Var keep_padding(const Steps& steps, std::size_t t, const Var& next, const Var& before) {
  if (steps.lengths.empty()) return next;
  Array m({steps.B, 1});
  for (std::size_t b = 0; b < steps.B; ++b) m[b] = steps.is_word(t, b) ? Real(1) : Real(0);
  const Var mask = autograd::constant(m);
  return mask * next + (Real(1) - mask) * before;
}

}  // namespace softalign::layers
