// Rules of a grammar: heads, items, features and link numbers.
#pragma once

#include <cstddef>

#include "data/grammar/internal/parser.h"

namespace softalign::data {

// HEAD *weight @tag, then a line for each side; `position` goes on to the last.
void parse_rule(Parser& parser, size_t& position);

}  // namespace softalign::data
