// Small steps that the decoders share.
#pragma once

#include <numeric>

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

}  // namespace models
