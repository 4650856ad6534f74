// This file knows the names that other tools and papers give to models, attention scores and tokenisers. Error messages
// use these names.
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
