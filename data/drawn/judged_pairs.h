// Pairs of sentences as lines of data/corpus/judged_pairs.h.
#pragma once

#include "data/drawn/drawn.h"

namespace data {

Drawn premise_and_hypothesis(autograd::Random& random);  // data/entailment/entailment.h

}  // namespace data
