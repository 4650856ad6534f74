// The engine's names that every layer uses. Letters: B sentences, S source steps, T target steps, R rows, E embedding,
// H hidden, D memory, A attention, V vocabulary.
#pragma once

#include <vector>

#include "autograd/params.h"
#include "autograd/storage/random.h"
#include "autograd/var.h"

namespace layers {

using autograd::Array;
using autograd::Id;
using autograd::Ids;
using autograd::Initialiser;
using autograd::Params;
using autograd::Random;
using autograd::Real;
using autograd::Shape;
using autograd::Var;

// What a cell, a stack or an attention carries from step to step: Vars with a row per sentence or hypothesis. A cell's
// are each (R, H): h first, then whatever else it remembers (an LSTM's c).
using States = std::vector<Var>;

}  // namespace layers
