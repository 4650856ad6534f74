// What a study comes to: the first thing on the report's page.
#pragma once

#include <string>

#include "apps/reproduction/report.h"

namespace softalign::apps {

// How many of the paper's claims hold and which models do best, then each claim with the figures that decide it.
std::string conclusion(const Study& study, const Outcomes& outcomes, const ReproduceOptions& options);

// A claim with its verdict and the figures that decide it, as an item of a list.
std::string claim_line(const std::string& claim, const Verdict& verdict);

}  // namespace softalign::apps
