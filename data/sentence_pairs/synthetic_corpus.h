// Pairs of sentences as lines of data/sentence_pairs/sentence_pairs.h.
#pragma once

#include "autograd/random.h"
#include "data/corpus/synthetic_example.h"

namespace softalign::data {

SyntheticExample premise_and_hypothesis(autograd::Random& random);  // data/sentence_pairs/synthetic_pairs.h

}  // namespace softalign::data
