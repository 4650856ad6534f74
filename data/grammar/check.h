// Checks of a grammar: the links and forms of each rule, and what only shows when the whole has been read. All throw
// Error naming file and line.
#pragma once

#include "data/grammar/grammar.h"

namespace softalign::data {

// Every number stands on both sides; a phrase once on each, a word of a class at least once on the source side;
// what shares the number of a class or phrase is the same class or phrase, or (with a class) a plain word or table.
void check_links(const Grammar& grammar, const Rule& rule);
// Every form that the values of the variables can ask for exists.
void check_forms(const Grammar& grammar, const Rule& rule);
// Every category has a rule, every class a word, and no rules derive each other without adding a word.
void check_grammar(const Grammar& grammar);

}  // namespace softalign::data
