// Names that other tools and papers have for models, scores of attention and tokenisers: for the message that refuses
// them.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace softalign::apps {

// The advice for such values of an option of train (CommandLine::advise).
struct NamesElsewhere {
  std::string option;
  std::vector<std::pair<std::string, std::string>> advice;
};
std::vector<NamesElsewhere> names_elsewhere();

}  // namespace softalign::apps
