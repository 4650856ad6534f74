// A KVCache has the keys and values of earlier steps. The self-attention of a decoder keeps them, so that a new step
// computes only its own key and value. docs/notation.md explains the notation.
#pragma once

#include <cstddef>
#include <vector>

#include "layers/attention/memory.h"

namespace softalign::layers {

struct KVCache {
  Var keys, values;  // (R, t, d) of every step: softmax both, positional attention the values
  Var weights;       // (R, K, m, ..) fast weights, whose size does not grow with the steps
  template <class Visit>
  void each(Visit&& visit) {
    visit("keys", keys), visit("values", values), visit("weights", weights);
  }
};

// A StackKVCache has the caches of all layers of a stack, and the number of steps that the caches have seen.
struct StackKVCache {
  std::size_t steps = 0;
  std::vector<KVCache> layers;
  template <class Visit>
  void each(Visit&& visit) {
    visit("layers", layers);
  }
};

// Appends the vectors of one step (1, R, d) to `before`, the vectors of t earlier steps (R, t, d), for R rows of d
// numbers. In the first step, `before` is an undefined Var.
inline Var appended(const Var& before, const Var& step) {
  const Var row = reshape(step, {step.dim(1), 1, step.dim(2)});
  return before.defined() ? autograd::concat({before, row}, 1) : row;
}

// A SelfAttentionStep is the result of one step of self-attention.
struct SelfAttentionStep {
  AttentionOutput attended;  // context (1, R, d), weights (R, K, t) or undefined
  KVCache cache;             // after the step
};

}  // namespace softalign::layers
