// Mean and range of a figure over several trainings.
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

// There is no result if any value is missing or NaN, or if there are no values.
std::optional<MeanAndRange> mean_and_range(const std::vector<std::optional<double>>& values);

// "97.4", of several seeds with half their range, "97.4 ± 0.6"; "-" for none.
std::string to_text(const std::optional<MeanAndRange>& spread, int decimals);
// Only the mean.
std::string mean_text(const std::optional<MeanAndRange>& spread, int decimals);

}  // namespace softalign::data
