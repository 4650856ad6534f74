// Names that other tools and papers have for models, scores of attention and tokenisers: for the message that refuses
// them.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace softalign::apps {

// What to write instead of such a value of the option (models::Rule::advice); none for other options.
std::vector<std::pair<std::string, std::string>> names_elsewhere(const std::string& option);

}  // namespace softalign::apps
