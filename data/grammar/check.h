// These functions check a grammar: the links and word forms of each rule, and the complete grammar. They throw Error,
// which names file and line.
#pragma once

#include "data/grammar/grammar.h"

namespace softalign::data {

// Checks the link numbers of a rule. Items of the source side and of the target side with the same number translate
// each other, so every number must occur on both sides. A phrase must occur once on each side. A word of a class must
// occur on the source side. All phrases and words of a class with the same number must be of the same category or
// class. Plain words, and words from a table of forms, may have the same number as a word of a class.
void check_links(const Grammar& grammar, const Rule& rule);
// Checks that the grammar has every word form that a rule can require, for all values of the rule's variables.
void check_forms(const Grammar& grammar, const Rule& rule);
// Checks that every category has a rule and every word class has a word. It also refuses rules that derive each other
// without adding a word, because such a derivation would never end.
void check_grammar(const Grammar& grammar);

}  // namespace softalign::data
