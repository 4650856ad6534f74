// This file lists the names that other tools and papers give to models, attention scores and tokenisers. If the user
// gives such a name, the error message says what to write instead.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace softalign::apps {

// NamesElsewhere has advice for a value of an option of `train` that is a name from another tool (CommandLine::advise).
struct NamesElsewhere {
  std::string option;
  std::vector<std::pair<std::string, std::string>> advice;
};
std::vector<NamesElsewhere> names_elsewhere();

}  // namespace softalign::apps
