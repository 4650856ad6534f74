// What the programs left in a run's folder, read back.
#pragma once

#include <string>

#include "apps/reproduction/study.h"

namespace softalign::apps {

// Where the runner keeps what evaluate printed.
std::string evaluation_file(const std::string& run);

// The outcome of a finished run. std::runtime_error naming a file that is missing or damaged.
Outcome read_outcome(const std::string& run);

}  // namespace softalign::apps
