// This file writes batches of pairs as text to diverged.safetensors, and reads them again.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/corpus/batches.h"

namespace softalign::apps {

// RecordedPairs has the pairs of some batches. The batches can be restored from its text without the corpus or its
// vocabularies. The text begins with the sizes of the vocabularies. Each pair has a line with source and target ids,
// sure links and its name. A blank line precedes each batch. If a source has its own positions, their number follows
// after its ids. A picture has its height, width and bytes: "/ 36 24 24 ffe0..".
struct RecordedPairs {
  std::size_t source_words = 0, target_words = 0;
  std::vector<std::vector<data::EncodedPair>> batches;
  std::vector<std::string> names;  // names of all pairs, in order: "line 3: i love you"
};
std::string format(const RecordedPairs& recorded);
// Throws data::Error with `path` and the problem, for example an id that is not in the vocabulary, or a link that lies
// outside of its pair.
RecordedPairs parse_recorded(const std::string& text, const std::string& path);

}  // namespace softalign::apps
