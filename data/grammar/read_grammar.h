// These functions read a synchronous grammar from a text file. data/toy/en-fr.grammar explains the file format.
#pragma once

#include <string>
#include <vector>

#include "data/grammar/grammar.h"

namespace softalign::data {

// Reads and checks a grammar. Throws Error, which names file and line. Errors are an unknown or repeated name, wrong
// features, a missing word form, a link number (Mark) that is only on one side, a category without rules, and text that
// does not have the format. Rules that derive each other without adding a word are an error, too, because the
// derivation would never end.
Grammar read_grammar(const std::string& path);
// Reads a grammar from lines of text. `name` is the name of the file in error messages.
Grammar parse_grammar(const std::vector<std::string>& lines, const std::string& name);

}  // namespace softalign::data
