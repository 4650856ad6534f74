// This file carries out `train --replay`. It repeats a step with a NaN or an infinity from diverged.safetensors.
#pragma once

#include <string>
#include <vector>

#include "apps/run/run_folder.h"
#include "data/corpus/batches.h"

namespace softalign::apps {

// RecordedPairs has the pairs of some batches. Its text restores the batches without the corpus or its vocabularies.
// The text begins with the sizes of the vocabularies. Each pair has a line with source and target ids, sure links and
// its name. A blank line precedes each batch. A source with its own positions has their number after its ids. A picture
// has its height, width and bytes: "/ 36 24 24 ffe0..".
struct RecordedPairs {
  std::size_t source_words = 0, target_words = 0;
  std::vector<std::vector<data::EncodedPair>> batches;
  std::vector<std::string> names;  // of all pairs, in their order: "line 3: i love you"
};
std::string format(const RecordedPairs& recorded);
// Throws data::Error with `path` and the problem, for example an id that is not in the vocabulary, or a link that lies
// outside of its pair.
RecordedPairs parse_recorded(const std::string& text, const std::string& path);

// Repeats the step or the validation that the file `path` contains. Returns a report with its number, its pairs, its
// loss and the first number that is not finite. 0 `threads` means as many threads as the training had.
std::string replay(const std::string& path, std::size_t threads);

}  // namespace softalign::apps
