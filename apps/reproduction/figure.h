// A figure of a training, and what it comes to over the seeds of an experiment.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apps/reproduction/study.h"
#include "data/metrics/mean_and_range.h"

namespace softalign::apps {

// None where a training has no such figure.
using Figure = std::function<std::optional<double>(const Outcome&)>;

// None if any seed lacks the figure, or if it is no number.
std::optional<data::Spread> spread(const std::vector<Outcome>& seeds, const Figure& figure);

// The figure of a part, "11-20" of by_length or "negation" of by_tag; none where a training's test set has no such
// part.
Figure bleu_of_part(Parts Outcome::*parts, const std::string& name);
Figure aer_of_part(Parts Outcome::*parts, const std::string& name);

}  // namespace softalign::apps
