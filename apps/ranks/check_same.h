// What all ranks must have alike before they work together.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "apps/ranks/ranks.h"
#include "autograd/params.h"

namespace softalign::apps {

// std::runtime_error, naming the first that differs, if a value is not the same in all ranks: {what it is, its hash}.
void check_same(const Ranks& ranks, const std::vector<std::pair<std::string, std::uint64_t>>& values);

// Of the parameters' bytes.
std::uint64_t hash(const autograd::Params& params);

}  // namespace softalign::apps
