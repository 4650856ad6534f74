// The report's main table.
#pragma once

#include <string>

#include "apps/reproduction/study.h"

namespace softalign::apps {

// A row a model, beside the paper's figures: mean over the seeds with half their range, the best of each column bold.
std::string results_table(const Study& study, const Outcomes& outcomes);

}  // namespace softalign::apps
