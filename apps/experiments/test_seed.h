// These are the seeds of the test data of studies. No training has one of these seeds, so a model is never tested on
// its training data.
#pragma once

#include <cstdint>

namespace softalign::apps {

inline constexpr std::uint64_t test_seed = 1'000'000;

// Older studies use this seed, because test_seed would change their documented results (docs/experiments.md).
inline constexpr std::uint64_t early_test_seed = 1000;

}  // namespace softalign::apps
