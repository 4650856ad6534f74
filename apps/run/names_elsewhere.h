// This file knows names of models, attention scores and tokenisers in other tools and papers. Error messages use it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace softalign::apps {

// NamesElsewhere has advice for such values of an option of `train` (CommandLine::advise).
struct NamesElsewhere {
  std::string option;
  std::vector<std::pair<std::string, std::string>> advice;
};
std::vector<NamesElsewhere> names_elsewhere();

}  // namespace softalign::apps
