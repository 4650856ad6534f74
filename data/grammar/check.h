// Checks of a grammar: the links and forms of each rule, and properties of the complete grammar. All throw an Error
// that names file and line.
#pragma once

#include "data/grammar/grammar.h"

namespace softalign::data {

// Every number occurs on both sides. A phrase occurs once on each side, and a word of a class at least once on the
// source side. Items that share the number of a class or phrase are the same class or phrase, or (with a class) a plain
// word or table.
void check_links(const Grammar& grammar, const Rule& rule);
// Every form that the values of the variables can require exists.
void check_forms(const Grammar& grammar, const Rule& rule);
// Every category has a rule, every class a word, and no rules derive each other without adding a word.
void check_grammar(const Grammar& grammar);

}  // namespace softalign::data
