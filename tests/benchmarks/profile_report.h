// Where the time of a training step goes: the profile's entries in a handful of groups, and the costliest ops.
#pragma once

#include <nlohmann/json.hpp>

#include "autograd/profile.h"

using namespace softalign;

namespace benchmarks {

// Seconds of all entries.
double total(const autograd::Profile::Entries& step);

// Prints both tables of one step. As JSON the groups' "shares" of the time, and "gemm_gflop_step", the operations of
// all products that this thread called for (10^9).
nlohmann::json report(const autograd::Profile::Entries& step);

}  // namespace benchmarks
