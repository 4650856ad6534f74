// This file writes batches of pairs as text to diverged.safetensors, and reads them again.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/corpus/batches.h"

namespace softalign::apps {

// RecordedPairs has the pairs of some batches. Its text contains everything that a program needs to restore the
// batches, without the corpus and its vocabularies. The first line has the sizes of the vocabularies. A blank line
// precedes each batch. Each pair has one line: the ids of the source and of the target, the sure links, and the name of
// the pair. The source of some tasks has positions that are not words, for example the cells of a picture. The number
// of these positions then follows after the source ids. If the source is a picture, its height, width and bytes follow:
// "/ 36 24 24 ffe0..".
struct RecordedPairs {
  std::size_t source_words = 0, target_words = 0;
  std::vector<std::vector<data::EncodedPair>> batches;
  std::vector<std::string> names;  // names of all pairs, in order: "line 3: i love you"
};
std::string format(const RecordedPairs& recorded);
// Reads text that format() wrote. Throws data::Error with `path` and the problem, for example an id that is not in the
// vocabulary, or a link that lies outside of its pair.
RecordedPairs parse_recorded(const std::string& text, const std::string& path);

}  // namespace softalign::apps
