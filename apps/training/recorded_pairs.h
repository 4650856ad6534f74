// Batches of pairs as text, in diverged.safetensors.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/corpus/batches.h"

namespace softalign::apps {

// The pairs of some batches as text, so that batches can be restored without the corpus or its vocabularies: the sizes
// of the vocabularies, then one line per pair (source and target ids, sure links, name), and a blank line before each
// batch. A source with its own positions has their number after its ids, and a picture its height, width and bytes: "/
// 36 24 24 ffe0..".
struct RecordedPairs {
  std::size_t source_words = 0, target_words = 0;
  std::vector<std::vector<data::EncodedPair>> batches;
  std::vector<std::string> names;  // of all pairs, in their order: "line 3: i love you"
};
std::string format(const RecordedPairs& recorded);
// data::Error, with `path` and the problem: an id outside of the vocabulary, a link outside of its pair, ..
RecordedPairs parse_recorded(const std::string& text, const std::string& path);

}  // namespace softalign::apps
