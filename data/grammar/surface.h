// This function turns a derivation into a sentence pair with gold links. It chooses the forms of words, and applies
// contractions and changes before vowels.
#pragma once

#include "data/corpus/corpus.h"
#include "data/grammar/derivation.h"

namespace softalign::data {

// Returns the sentence pair with its gold links and its tags. The tags come from the rules, words, elisions and
// contractions in the pair, and are sorted.
Pair spell_out(const Grammar& grammar, const Derivation& derivation);

}  // namespace softalign::data
