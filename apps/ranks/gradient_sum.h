// The gradients of a step, of which every rank has a part.
#pragma once

#include "apps/ranks/ranks.h"
#include "autograd/params.h"

namespace apps {

// Each gradient <- its sum over the ranks, in the order of ranks. Rows of embedding tables travel as rows, all else as
// numbers side by side, in words of `wire`.
void sum_gradients(const Ranks& ranks, const autograd::Params& params, Wire wire);

// What that takes of this process's memory, where every gradient is whole.
std::size_t bytes_to_sum_gradients(const Ranks& ranks, const autograd::Params& params, Wire wire);

}  // namespace apps
