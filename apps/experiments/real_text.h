// These functions prepare the sentence pairs of the study `reproduce alignment-on-real-text`
// (alignment_on_real_text.cpp).
#pragma once

#include <cstddef>
#include <vector>

#include "data/corpus/corpus.h"

namespace softalign::apps {

// Joins each group of `size` consecutive pairs into one long pair, with its gold links. The last group may be smaller,
// so each word of the pairs occurs once in the result.
std::vector<data::Pair> joined(const std::vector<data::Pair>& pairs, std::size_t size);

// Replaces each word of both sides with the probability `share` by a made-up word, which no model knows. Punctuation at
// the end of a word stays. The same pairs give the same result.
std::vector<data::Pair> with_unknown_words(std::vector<data::Pair> pairs, double share);

// Links each target word to the source word at the same relative position, that is, on the diagonal.
data::Links diagonal_links(const data::Pair& pair);

}  // namespace softalign::apps
