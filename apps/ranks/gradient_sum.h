// The gradients of a step, of which every rank has a part.
#pragma once

#include "apps/ranks/ranks.h"
#include "autograd/params.h"

namespace apps {

// Each gradient <- its sum over the ranks, in the order of ranks. Rows of embedding tables travel as rows, all else as
// numbers side by side, in words of `wire`.
void sum_gradients(const Ranks& ranks, const autograd::Params& params, Wire wire);

// std::runtime_error, naming the first that differs, if a value is not the same in all ranks: {what it is, its hash}.
void check_same(const Ranks& ranks, const std::vector<std::pair<std::string, std::uint64_t>>& values);

// Of the parameters' bytes.
std::uint64_t hash(const autograd::Params& params);

}  // namespace apps
