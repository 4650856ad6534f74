// Words of a grammar: tables, classes, paradigms and lexemes.
#pragma once

#include <cstddef>
#include <string>

#include "data/grammar/internal/parser.h"

namespace softalign::data {

// table NAME form/form=word ...
void parse_table(Parser& parser, const GrammarLine& line);
// class NAME[feature ...], then for each side a line with the names of its forms; `position` goes on to the last.
void parse_class(Parser& parser, size_t& position);
// paradigm LANGUAGE +name ending ...
void parse_paradigm(Parser& parser, const GrammarLine& line);
// CLASS[values] *weight @tag forms = forms
void parse_lexeme(Parser& parser, const GrammarLine& line);
// WORD or WORD|BEFORE_VOWEL
Spelling parse_spelling(const Parser& parser, const GrammarLine& line, const std::string& text);

}  // namespace softalign::data
