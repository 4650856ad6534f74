// Turns a derivation into a sentence pair: forms of words, changes before vowels, contractions, and gold links.
#pragma once

#include "data/corpus/corpus.h"
#include "data/grammar/derivation.h"

namespace softalign::data {

// The pair with its gold links and its tags (those of the rules, words, elisions and contractions in it, sorted).
Pair spell_out(const Grammar& grammar, const Derivation& derivation);

}  // namespace softalign::data
