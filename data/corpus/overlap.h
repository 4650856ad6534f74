// This function finds pairs that are in the training data and in the validation data. With such pairs, validation
// measures memorisation instead of generalisation.
#pragma once

#include <string>
#include <vector>

#include "data/corpus/corpus.h"

namespace softalign::data {

// Returns a note for the user if at least a fifth of the validation pairs are also training pairs. Otherwise it returns
// "". To save memory, the function stores only hashes of validation pairs.
std::string note_of_overlap(const std::vector<Pair>& train, const std::vector<Pair>& valid);

}  // namespace softalign::data
