// This file lists all families (kinds of models, models/family.h), and describes them for --help.
#pragma once

#include <string>
#include <vector>

#include "models/family.h"
#include "models/options.h"

namespace softalign::models {

const std::vector<Family>& known_families();
// Returns the family that the options choose, or nullptr for an unknown model. family_of (models/family.h) throws.
const Family* find_family(const ModelOptions& options);

const std::vector<std::string>& known_models();  // each name once
std::vector<std::string> known_authors();

// These functions return text for --help. describe_models lists every model with its title. describe_attentions lists
// the default attention of each translation model: "additive for rnnsearch, ..".
std::string describe_models();
std::string describe_attentions();

// Some translation models have their own default of an option. Returns the text that --help writes after the common
// default of this option, for example "; transformer: 2".
std::string describe_own_defaults(const std::string& option);
// If only one family of models uses an option, returns the family's own default of this option. Otherwise, or if the
// family has no own default, returns "".
std::string default_of_only_user(const std::string& option);

}  // namespace softalign::models
