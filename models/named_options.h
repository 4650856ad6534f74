// This function gives a name to each option of a model. Command lines, config.json, messages and tests use the names.
#pragma once

#include "models/option_table.h"
#include "models/options.h"

namespace softalign::models {

// Returns all options, each with its help text and legal values. Only named_options.cpp lists them.
Table table(ModelOptions& options);

}  // namespace softalign::models
