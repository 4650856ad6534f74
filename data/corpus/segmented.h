// Text that a tool has cut into subwords before it came here.
#pragma once

#include <string>
#include <vector>

#include "data/corpus/corpus.h"

namespace softalign::data {

// Whether at least one word in a hundred of the lines carries the mark of a cut: "@@" at its end (subword-nmt) or
// U+2581 at its beginning (SentencePiece). A note for the user then, with its line end, or "".
std::string note_of_segments(const std::vector<Pair>& pairs);

}  // namespace softalign::data
