// This function draws a corpus from a grammar.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/corpus/corpus.h"
#include "data/grammar/grammar.h"

namespace softalign::data {

struct SampleOptions {
  std::size_t pairs = 0;
  std::size_t min_length = 2, max_length = 25;  // limits for the number of words per side
  // With `spread`, all source lengths from min_length to max_length that the grammar has are equally frequent.
  // Otherwise, the weights of the grammar decide how frequent they are.
  bool spread = false;
  std::uint64_t seed = 1;
};

// Returns distinct sentence pairs in random order. No source or target occurs twice, and none of them occurs in
// `excluded`. No source contains the reserved word sequences of the grammar. The same options and grammar give the same
// pairs. Throws Error if many samples in a row give no new pair, because the grammar probably has too few sentences.
std::vector<Pair> sample_corpus(const Grammar& grammar, const SampleOptions& options,
                                const std::vector<Pair>& excluded = {});

}  // namespace softalign::data
