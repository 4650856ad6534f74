// Splitting a batch by sentences, so that its parts can be worked on side by side.
#pragma once

#include <vector>

#include "data/corpus/batch.h"

namespace softalign::data {

// At most `parts` batches of consecutive sentences, as equal in number as can be, none empty; each padded only to its
// own longest sentence.
std::vector<Batch> split(const Batch& batch, std::size_t parts);

}  // namespace softalign::data
