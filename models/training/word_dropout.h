// Word dropout: Bowman, Vilnis, Vinyals, Dai, Jozefowicz & Bengio 2016, "Generating sentences from a continuous space",
// section 3.1. While it trains, the decoder now and then cannot read the word that it has just written. A word that
// would follow from those before it, "than" after "taller", has to be found in the source then, and attention learns
// where it is.
#pragma once

#include "models/decoder.h"

namespace softalign::models {

// The targets with each word that the decoder reads after <s> replaced by <unk> with probability p.
Targets with_unread_words(Targets targets, double p, Random random);

}  // namespace softalign::models
