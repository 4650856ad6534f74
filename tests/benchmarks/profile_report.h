// Where the time of a training step goes: the profile's entries in a handful of groups, and the costliest ops.
#pragma once

#include <nlohmann/json.hpp>

#include "autograd/profile.h"

namespace benchmarks {

// Prints both tables of a profile of so many steps. As JSON the groups' "shares" of the time, and "gemm_gflop_step", the
// operations of all products that this thread called for in a step (10^9).
nlohmann::json report(const autograd::Profile& profile, std::size_t steps);

}  // namespace benchmarks
