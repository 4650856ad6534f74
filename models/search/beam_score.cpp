#include "models/search/beam_score.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "data/io/error.h"

namespace softalign::models {

void check(const BeamOptions& o) {
  if (o.beam == 0) throw std::invalid_argument("beam_search: the beam is 0, at least 1 hypothesis must be kept");
  if (o.n_best == 0 || o.n_best > o.beam)
    throw std::invalid_argument(
        fmt::format("beam_search: {} best of a beam of {}; 1 to {} can be had", o.n_best, o.beam, o.beam));
  const auto check_penalty = [](const char* name, double value) {
    if (!(value >= 0) || std::isinf(value))
      throw std::invalid_argument(
          fmt::format("beam_search: {} penalty {}, expected a number of at least 0", name, value));
  };
  check_penalty("length", o.length_penalty);
  check_penalty("coverage", o.coverage_penalty);
}

// lp(Y) = |Y|^alpha, or ((5 + |Y|) / (5 + 1))^alpha (Wu et al. 2016, equation 14)
double length_penalty(const BeamOptions& o, std::size_t length) {
  const auto n = static_cast<double>(length);
  return std::pow(o.normalisation == Normalisation::wu ? (5 + n) / (5 + 1) : n, o.length_penalty);
}

double coverage_penalty(const BeamOptions& o, const data::Matrix& weights) {
  if (o.coverage_penalty == 0) return 0;
  if (weights.empty())
    throw data::Error(
        data::ErrorKind::wrong_usage,
        "the coverage penalty needs attention, and this model has no attention. Remove --coverage-penalty");
  constexpr double floor = 1e-6;
  double penalty = 0;
  for (std::size_t j = 0; j + 1 < weights.front().size(); ++j) {
    double total = 0;
    for (const std::vector<float>& row : weights) total += static_cast<double>(row[j]);
    penalty += std::log(std::clamp(total, floor, 1.0));
  }
  return o.coverage_penalty * penalty;
}

}  // namespace softalign::models
