// This file finds pairs that are in both the training data and the validation data. With such pairs, validation
// measures memorisation.
#pragma once

#include <string>
#include <vector>

#include "data/corpus/corpus.h"

namespace softalign::data {

// Returns a note, in complete lines, if at least a fifth of the validation pairs are training pairs too. Otherwise, it
// returns "". It keeps only the validation pairs in memory.
std::string note_of_overlap(const std::vector<Pair>& train, const std::vector<Pair>& valid);

}  // namespace softalign::data
