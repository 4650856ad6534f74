// A story and the question to it, as a batch has them.
#pragma once

#include "data/corpus/batch.h"
#include "models/one_word.h"
#include "models/stories/memory_network.h"

namespace softalign::models {

// Of each source the sentences, and as its last part the question. std::invalid_argument: a source without a sentence,
// or whose sentences are not as many as its places.
Stories stories_of(const data::Batch& batch);

}  // namespace softalign::models
