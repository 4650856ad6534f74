// This file computes the mean and range of a figure over several trainings.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace softalign::data {

struct MeanAndRange {
  double mean = 0, low = 0, high = 0;
  std::size_t seeds = 0;  // trainings
};

// Returns no result if any value is missing or NaN, or if there are no values.
std::optional<MeanAndRange> mean_and_range(const std::vector<std::optional<double>>& values);

// Returns "97.4" for one seed, and "97.4 ± 0.6" with half the range for several seeds. Returns "-" if there is no
// value.
std::string to_text(const std::optional<MeanAndRange>& spread, int decimals);
// Returns only the mean.
std::string mean_text(const std::optional<MeanAndRange>& spread, int decimals);

}  // namespace softalign::data
