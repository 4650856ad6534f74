// The options of a model by name: for command lines, config.json, messages and tests.
#pragma once

#include "models/option_table.h"
#include "models/options.h"

namespace softalign::models {

// All options, each with its help text and legal values. Only this file lists them.
Table table(ModelOptions& options);

}  // namespace softalign::models
