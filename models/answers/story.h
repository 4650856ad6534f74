// A story and the question to it, as a batch has them.
#pragma once

#include "data/corpus/batch.h"
#include "models/small/memory_network.h"

namespace models {

// The words of each part of each source, in their order: what ends with </s>.
using Parts = std::vector<std::vector<Ids>>;
Parts parts_of(const data::Batch& batch);

// Of each source the sentences, and as its last part the question. std::invalid_argument: a source without a sentence,
// or whose sentences are not as many as its places.
Stories stories_of(const data::Batch& batch);

}  // namespace models
