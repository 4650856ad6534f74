// Stories with questions as lines of data/corpus/stories.h.
#pragma once

#include "data/drawn/drawn.h"

namespace data {

// Of four to eight sentences (data/stories/stories.h).
Drawn facts_and_question(autograd::Random& random);
Drawn chinese_facts_and_question(autograd::Random& random);
Drawn moves_and_person(autograd::Random& random);
Drawn moves_and_thing(autograd::Random& random);

}  // namespace data
