#include "data/metrics/mean_and_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace softalign::data {

std::optional<MeanAndRange> mean_and_range(const std::vector<std::optional<double>>& values) {
  MeanAndRange s;
  for (const std::optional<double>& value : values) {
    if (!value || !std::isfinite(*value)) return {};
    s.low = s.seeds == 0 ? *value : std::min(s.low, *value);
    s.high = s.seeds == 0 ? *value : std::max(s.high, *value);
    s.mean += *value;
    ++s.seeds;
  }
  if (s.seeds == 0) return {};
  s.mean /= static_cast<double>(s.seeds);
  return s;
}

std::string mean_text(const std::optional<MeanAndRange>& s, int decimals) {
  return s ? fmt::format("{:.{}f}", s->mean, decimals) : "-";
}

std::string to_text(const std::optional<MeanAndRange>& s, int decimals) {
  if (!s || s->seeds == 1) return mean_text(s, decimals);
  return fmt::format("{} ± {:.{}f}", mean_text(s, decimals), (s->high - s->low) / 2, decimals);
}

}  // namespace softalign::data
