// Three simple aligners, as a reference. They show how many gold links can be found without understanding the
// sentences.
#pragma once

#include <vector>

#include "data/corpus/corpus.h"

using namespace softalign;

namespace testing {

// Links target word t of T to the source word of S at the same relative position:
// s = floor((t + 1/2) S / T).
data::Links diagonal(const data::Pair& pair);

// At most one link per target word, chosen with the gold links: a sure link if there is one, else a possible one. No
// alignment with at most one link per target word has a lower AER.
data::Links best_single(const data::Pair& pair);

// IBM model 1 (Brown et al. 1993, section 4.2) with an empty word: p(f|e) from uniform values by `rounds` of EM on
// `train`. Each target word of `test` is linked to its most probable source word, unless this is the empty word.
std::vector<data::Links> ibm1(const std::vector<data::Pair>& train, const std::vector<data::Pair>& test,
                              size_t rounds = 5);

}  // namespace testing
