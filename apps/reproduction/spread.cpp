#include "apps/reproduction/spread.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace apps {

std::optional<Spread> spread(const std::vector<Outcome>& seeds, const Figure& figure) {
  Spread s;
  for (const Outcome& outcome : seeds) {
    const std::optional<double> value = figure(outcome);
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

std::string mean_text(const std::optional<Spread>& s, int decimals) {
  return s ? fmt::format("{:.{}f}", s->mean, decimals) : "-";
}

std::string to_text(const std::optional<Spread>& s, int decimals) {
  if (!s || s->seeds == 1) return mean_text(s, decimals);
  return fmt::format("{} ± {:.{}f}", mean_text(s, decimals), (s->high - s->low) / 2, decimals);
}

namespace {

template <class Value>
Figure of_part(Parts Outcome::*parts, const std::string& name, Value value) {
  return [=](const Outcome& outcome) -> std::optional<double> {
    const auto found = (outcome.*parts).find(name);
    if (found == (outcome.*parts).end()) return {};
    return value(found->second);
  };
}

}  // namespace

Figure bleu_of_part(Parts Outcome::*parts, const std::string& name) {
  return of_part(parts, name, [](const Part& part) { return std::optional<double>(part.bleu); });
}
Figure aer_of_part(Parts Outcome::*parts, const std::string& name) {
  return of_part(parts, name, [](const Part& part) { return part.aer; });
}

}  // namespace apps
