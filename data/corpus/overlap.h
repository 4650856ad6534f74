// Pairs that are in the training data and in the validation data. A validation with them measures memorisation.
#pragma once

#include <string>
#include <vector>

#include "data/corpus/corpus.h"

namespace softalign::data {

// A note, in complete lines, if at least a fifth of the validation pairs are training pairs too; "" else. Only the
// validation pairs are kept in memory.
std::string note_of_overlap(const std::vector<Pair>& train, const std::vector<Pair>& valid);

}  // namespace softalign::data
