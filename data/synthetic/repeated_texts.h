// Texts for a language model as lines of data/corpus/corpus.h (read_texts), with gold links to their own past.
#pragma once

#include "data/synthetic/synthetic.h"

namespace softalign::data {

SyntheticExample text_that_repeats(autograd::Random& random);  // data/synthetic/repeats.h

}  // namespace softalign::data
