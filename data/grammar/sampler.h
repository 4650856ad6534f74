// Drawing a corpus from a grammar.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/corpus/corpus.h"
#include "data/grammar/grammar.h"

namespace softalign::data {

struct SampleOptions {
  std::size_t pairs = 0;
  std::size_t min_length = 2, max_length = 25;  // words of each side
  // Evenly over the source lengths from min_length to max_length instead of as the grammar's weights have it; the
  // target is then as long as it is.
  bool spread = false;
  std::uint64_t seed = 1;
};

// Distinct pairs: no source and no target occurs twice, or in `excluded`, and no source holds words that the grammar
// reserves. In random order; the same options and grammar give the same pairs. Error if the grammar
// has not enough sentences (as far as a great number of draws without anything new can tell).
std::vector<Pair> sample_corpus(const Grammar& grammar, const SampleOptions& options,
                                const std::vector<Pair>& excluded = {});

}  // namespace softalign::data
