// Small steps that the recurrent decoders share.
#pragma once

#include <numeric>

#include "autograd/ops/shape.h"
#include "models/decoder.h"

namespace models {

// Of dropout; none outside training.
inline Random* randomness(const Training* training) { return training ? &training->random : nullptr; }

// A row per source: 0 .. B-1
inline Ids each_once(const Memory& memory) {
  Ids sentence(memory.size());
  std::iota(sentence.begin(), sentence.end(), 0);
  return sentence;
}

// Step i of x (T*B, K): (B, K)
inline Var at_step(const Var& x, std::size_t i, std::size_t B) { return slice(x, 0, i * B, (i + 1) * B); }

}  // namespace models
