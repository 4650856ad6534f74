// These functions check a grammar: the links and word forms of each rule, and the complete grammar. They throw Error,
// which names file and line.
#pragma once

#include "data/grammar/grammar.h"

namespace softalign::data {

// Checks the numbers in a rule that pair its source side with its target side. Every number must occur on both sides. A
// phrase must occur exactly once on each side, and a word of a class at least once on the source side. Items with the
// same number must be the same phrase or the same word class; a plain word or a table may share the number of a class.
void check_links(const Grammar& grammar, const Rule& rule);
// Checks that every word form exists that a rule can require, for all values of its variables.
void check_forms(const Grammar& grammar, const Rule& rule);
// Checks that every category has a rule and every word class has a word. It also refuses rules that derive each other
// without adding a word, because such a derivation would never end.
void check_grammar(const Grammar& grammar);

}  // namespace softalign::data
