// Some options and values had other names in earlier builds. Command lines and config files may still use these old
// names, so old run folders and old scripts work. --help does not list the old names, and no program writes them.
#pragma once

#include <string>

namespace softalign::models {

// Setting is an option with its value, both as text. The values of a yes/no option are "true" and "false".
struct Setting {
  std::string option, value;
};

// Returns the setting under the names of today. For example, {"scope", "global"} becomes {"attention-window",
// "global"}, and {"look", "hard"} becomes {"hard-attention", "true"}. All other settings are returned unchanged.
Setting with_current_names(const Setting& setting);

}  // namespace softalign::models
