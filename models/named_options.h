// The options of a model by name: for command lines, config.json, messages and tests.
#pragma once

#include "models/option_table.h"
#include "models/options.h"

namespace softalign::models {

// All of them, with what --help says of each and its legal values: the only place that lists these.
Table table(ModelOptions& options);

}  // namespace softalign::models
