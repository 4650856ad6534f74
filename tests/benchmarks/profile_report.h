// Shows how a training step spends its time: the profile in a few groups, and the most expensive ops.
#pragma once

#include <nlohmann/json.hpp>

#include "autograd/profile.h"

using namespace softalign;

namespace benchmarks {

// The sum of the seconds of all entries.
double total(const autograd::Profile::Entries& step);

// Prints the groups and the ops of one step. The JSON has the groups' "shares" of the time and "gemm_gflop_step", the
// operations of all products that this thread started (10^9).
nlohmann::json report(const autograd::Profile::Entries& step);

}  // namespace benchmarks
