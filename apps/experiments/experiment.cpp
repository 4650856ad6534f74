#include "apps/experiments/experiment.h"

namespace softalign::apps {

data::Spread over_seeds(std::size_t seeds, const std::function<double(std::size_t seed)>& value) {
  std::vector<std::optional<double>> values;
  for (std::size_t seed = 1; seed <= seeds; ++seed) values.emplace_back(value(seed));
  return data::spread(values).value();
}

}  // namespace softalign::apps
