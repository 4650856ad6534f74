// These functions compute the mean and the range of a result over several trainings with different seeds.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace softalign::data {

struct MeanAndRange {
  double mean = 0, low = 0, high = 0;
  std::size_t seeds = 0;  // number of trainings, one per seed
};

// Returns the mean and the range of the values. Returns nothing if a value is missing or NaN, or if there are no
// values.
std::optional<MeanAndRange> mean_and_range(const std::vector<std::optional<double>>& values);

// Returns the mean as text: "97.4" for one seed, or "97.4 ± 0.6" for several seeds, where 0.6 is half of the range.
// Returns "-" if there is no value.
std::string to_text(const std::optional<MeanAndRange>& spread, int decimals);
// Returns the mean as text, without the range.
std::string mean_text(const std::optional<MeanAndRange>& spread, int decimals);

}  // namespace softalign::data
