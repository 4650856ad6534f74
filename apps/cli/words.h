// Words of a command line that no option's name stands before.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/cli/manual.h"

namespace softalign::apps {

// What is wrong with the words that are declared (Entry::is_word) where `given` are those of a name: one is empty, or
// missing though it is required. "" if nothing is.
std::string problem_of_words(const Manual& manual,
                             const std::function<std::vector<std::string>(const std::string& name)>& given);

// What is wrong with a command line of which this is left when options and words are taken: an option that is none,
// or where there is none of these a word too many.
std::string problem_of_rest(const std::vector<std::string>& rest, const Manual& manual);

}  // namespace softalign::apps
