// PROGRAM --generate FORM: a program as it is installed, softalign-NAME, described for other tools.
#pragma once

#include <string>
#include <vector>

#include "apps/cli/manual.h"

namespace softalign::apps {

const std::vector<std::string>& generated_forms();  // man, bash, zsh, fish

// The file in this form. std::invalid_argument for any other.
std::string generate(const Manual& manual, const std::string& form);

}  // namespace softalign::apps
