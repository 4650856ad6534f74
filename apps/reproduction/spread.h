// Mean and range over the seeds of an experiment.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "apps/reproduction/study.h"

namespace apps {

struct Spread {
  double mean = 0, low = 0, high = 0;
  std::size_t seeds = 0;
};

// A figure of one training; none where it has no such figure.
using Figure = std::function<std::optional<double>(const Outcome&)>;

// None if any seed lacks the figure, or if it is no number.
std::optional<Spread> spread(const std::vector<Outcome>& seeds, const Figure& figure);

// "97.4", of several seeds with half their range, "97.4 ± 0.6"; "-" for none.
std::string to_text(const std::optional<Spread>& spread, int decimals);
// The mean alone.
std::string mean_text(const std::optional<Spread>& spread, int decimals);

// The figure of a part, "11-20" of by_length or "negation" of by_tag; none where a training's test set has no such
// part.
Figure bleu_of_part(Parts Outcome::*parts, const std::string& name);
Figure aer_of_part(Parts Outcome::*parts, const std::string& name);

}  // namespace apps
