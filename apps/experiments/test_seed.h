// The experiments generate their test data from these seeds. No training uses one of these seeds, so a model is never
// tested on its training data.
#pragma once

#include <cstdint>

namespace softalign::apps {

inline constexpr std::uint64_t test_seed = 1'000'000;

// Older experiments generate their test data from this seed. With test_seed, their results would differ from those in
// docs/experiments.md.
inline constexpr std::uint64_t early_test_seed = 1000;

}  // namespace softalign::apps
