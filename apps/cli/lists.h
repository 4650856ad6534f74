// Lists on the command line: items separated by commas, none of them empty.
#pragma once

#include <string>
#include <vector>

#include "apps/cli/manual.h"

namespace softalign::apps {

// What is wrong with the first list among the words of a command line: "1,,2", "1," and "" have an empty item. "" if
// nothing is.
std::string problem_of_lists(const std::vector<Entry>& entries, const std::vector<std::string>& words);

}  // namespace softalign::apps
