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
  // Samples source lengths from min_length to max_length uniformly, instead of by the weights of the grammar. The
  // length of the target follows.
  bool spread = false;
  std::uint64_t seed = 1;
};

// Returns distinct pairs in random order. No source and no target occurs twice, or in `excluded`, and no source
// contains reserved words of the grammar. The same options and grammar give the same pairs. Error if many samples in a
// row give no new pair, because the grammar probably has too few sentences.
std::vector<Pair> sample_corpus(const Grammar& grammar, const SampleOptions& options,
                                const std::vector<Pair>& excluded = {});

}  // namespace softalign::data
