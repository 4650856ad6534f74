// What a line of a corpus is of, where nobody says it: told by its columns (docs/formats.md).
#pragma once

#include <string>

namespace softalign::data {

// translation, captioning, questions, entailment, or language-model for a line without a tab; "" where it may be of
// more than one: a premise or a story of one sentence, with neither links nor gold.
std::string task_of_line(const std::string& line);

}  // namespace softalign::data
