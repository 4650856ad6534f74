// These functions read the lines of a grammar file that declare words: tables, word classes, paradigms and lexemes.
// They throw Error, which names file and line.
#pragma once

#include <cstddef>

#include "data/grammar/internal/parser.h"

namespace softalign::data {

// Reads: table NAME form/form=word ...
void parse_table(Parser& parser, const GrammarLine& line);
// Reads a word class, which has three lines: `class NAME[feature ...]`, then an indented line per language. The
// indented lines name the forms of a word, for example "en sg pl". Moves `position` to the last of these lines.
void parse_class(Parser& parser, std::size_t& position);
// Reads: paradigm LANGUAGE +name ending ...
void parse_paradigm(Parser& parser, const GrammarLine& line);
// Reads: CLASS[values] *weight @tag forms = forms
void parse_lexeme(Parser& parser, const GrammarLine& line);

}  // namespace softalign::data
