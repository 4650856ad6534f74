// Where the time of a training step goes: the profile's entries in a handful of groups, and the costliest ops.
#pragma once

#include <nlohmann/json.hpp>

#include "autograd/profile.h"

namespace benchmarks {

// Prints both tables of a profile of so many steps; the groups' shares of the time as JSON.
nlohmann::json report(const autograd::Profile& profile, std::size_t steps);

}  // namespace benchmarks
