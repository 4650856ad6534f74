// Texts for a language model as lines of data/corpus/corpus.h (read_texts), with gold links to their own past.
#pragma once

#include "data/drawn/drawn.h"

namespace data {

Drawn text_that_repeats(autograd::Random& random);  // data/stories/repeats.h

}  // namespace data
