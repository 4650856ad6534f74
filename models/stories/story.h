// Stories with a question each, as a batch has them.
#pragma once

#include <cstddef>
#include <vector>

#include "data/corpus/batch.h"
#include "models/one_word.h"

namespace softalign::models {

using autograd::Ids;

// B stories with one question each. Word j of sentence i of story b is at (i*B + b)*J + j, and word j of its question
// at b*J + j. After the end of a sentence, the entry is -1.
struct Stories {
  std::size_t S = 0, B = 0, J = 0;     // most sentences, stories, most words
  Ids sentences, questions;            // (S*B*J), (B*J)
  std::vector<std::size_t> lengths{};  // (B) sentences, the newest last
};

// The sentences of each source, and the question as the last part. std::invalid_argument: a source without a sentence,
// or with another number of sentences than positions.
Stories stories_of(const data::Batch& batch);

}  // namespace softalign::models
