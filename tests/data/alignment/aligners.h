// Three reference alignments of a corpus, which say how much of its gold can be had without understanding anything.
#pragma once

#include <vector>

#include "data/corpus/corpus.h"

using namespace softalign;

namespace testing {

// Target word t of T is linked to the source word of S that stands at the same fraction of its sentence:
// s = floor((t + 1/2) S / T).
data::Links diagonal(const data::Pair& pair);

// At most one link for each target word, chosen with the gold at hand: a sure link if there is one, else a possible
// one. No alignment with one link per target word has a lower AER.
data::Links best_single(const data::Pair& pair);

// IBM model 1 (Brown et al. 1993, section 4.2): p(f|e) from uniform values by `rounds` of EM on `train`, with an empty
// word; each target word of `test` is linked to its likeliest source word, unless that is the empty one.
std::vector<data::Links> ibm1(const std::vector<data::Pair>& train, const std::vector<data::Pair>& test,
                              size_t rounds = 5);

}  // namespace testing
