// The struct Stories contains the stories and the questions of a batch.
#pragma once

#include <cstddef>
#include <vector>

#include "data/corpus/batch.h"
#include "models/one_word.h"

namespace softalign::models {

using autograd::Ids;

// The struct Stories contains B stories with one question each. J is the number of words of the longest sentence. Word
// j of sentence i of story b is entry (i*B + b)*J + j of `sentences`. Word j of the question of story b is entry
// b*J + j of `questions`. All entries after the end of a sentence are -1.
struct Stories {
  std::size_t S = 0, B = 0, J = 0;     // sentences of the longest story, stories, words of the longest sentence
  Ids sentences, questions;            // (S*B*J), (B*J)
  std::vector<std::size_t> lengths{};  // (B) number of sentences; the newest sentence comes last
};

// Splits each source of the batch into the sentences of its story and its question, which is the last part. Throws
// std::invalid_argument if a source has no sentence, or if its number of sentences is not the number in Batch::places.
Stories stories_of(const data::Batch& batch);

}  // namespace softalign::models
