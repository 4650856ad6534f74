// This function reads a rule of a grammar file. data/toy/en-fr.grammar explains the format of the file.
#pragma once

#include <cstddef>

#include "data/grammar/internal/parser.h"

namespace softalign::data {

// Reads a rule, which has three lines: `CATEGORY[features] *weight @tag`, then an indented line for the source
// language, and an indented line for the target language. Moves `position` to the last of these lines. Checks the rule
// and adds it to the grammar. Throws Error, which names file and line.
void parse_rule(Parser& parser, std::size_t& position);

}  // namespace softalign::data
