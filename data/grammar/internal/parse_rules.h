// This function reads the rules of a grammar file: their heads, items, features and link numbers.
#pragma once

#include <cstddef>

#include "data/grammar/internal/parser.h"

namespace softalign::data {

// Reads a rule: the line `HEAD *weight @tag`, and the next two lines, which have the two sides of the rule. Moves
// `position` to the last of these lines. Checks the rule and adds it to the grammar. Throws Error, which names file and
// line.
void parse_rule(Parser& parser, std::size_t& position);

}  // namespace softalign::data
