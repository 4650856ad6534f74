// The report's main table.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "apps/reproduction/study.h"

namespace apps {

// A row a model, beside the paper's figures: mean over the seeds with half their range, the best of each column bold.
// `parameters` are those of each experiment's model.
std::string results_table(const Study& study, const Outcomes& outcomes,
                          const std::map<std::string, std::size_t>& parameters);

}  // namespace apps
