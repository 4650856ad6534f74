// Small steps that the decoders share.
#pragma once

#include "autograd/array.h"
#include "models/decoder.h"

namespace softalign::models {

// Of dropout; none outside training.
inline Random* randomness(const Training* training) { return training ? &training->random : nullptr; }

// A row per source: 0 .. B-1
inline Ids each_once(const Memory& memory) { return autograd::all_rows(memory.size()); }

}  // namespace softalign::models
