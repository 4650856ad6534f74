// KVCache: the keys and values of earlier steps, which a decoder's self-attention keeps (KV cache), so that a step
// computes only its own.
#pragma once

#include <cstddef>
#include <vector>

#include "layers/attention/memory.h"

namespace softalign::layers {

struct KVCache {
  Var keys, values;  // (R, t, d) of every step: softmax both, positional attention the values
  Var weights;       // (R, K, m, ..) of fast weights: as large after any number of steps
  template <class Visit>
  void each(Visit&& visit) {
    visit("keys", keys), visit("values", values), visit("weights", weights);
  }
};

// The caches of all layers of a stack, after a number of steps.
struct StackKVCache {
  std::size_t steps = 0;
  std::vector<KVCache> layers;
  template <class Visit>
  void each(Visit&& visit) {
    visit("layers", layers);
  }
};

// Undefined before the first step: (R, t, d) and one step (1, R, d) more -> (R, t + 1, d)
inline Var appended(const Var& before, const Var& step) {
  const Var row = reshape(step, {step.dim(1), 1, step.dim(2)});
  return before.defined() ? autograd::concat({before, row}, 1) : row;
}

// The keys and values of one step.
struct SelfAttentionStep {
  AttentionOutput attended;  // context (1, R, d), weights (R, K, t) or undefined
  KVCache cache;             // after it
};

}  // namespace softalign::layers
