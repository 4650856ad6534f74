// Declarations of a grammar: features, sets, categories, what neighbouring words do to each other.
#pragma once

#include <string>
#include <vector>

#include "data/grammar/internal/parser.h"

namespace softalign::data {

// A line that is neither a rule nor a word.
void parse_declaration(Parser& parser, const GrammarLine& line);

// NAME[feature ...]: the features, and the name.
std::vector<size_t> parse_signature(const Parser& parser, const GrammarLine& line, const std::string& text,
                                    std::string& name);

}  // namespace softalign::data
