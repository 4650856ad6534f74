// Stories with questions as lines of data/stories/story_corpus.h.
#pragma once

#include "autograd/random.h"
#include "data/corpus/synthetic_example.h"

namespace softalign::data {

// Of four to eight sentences (data/stories/synthetic_stories.h).
SyntheticExample facts_and_question(autograd::Random& random);
SyntheticExample chinese_facts_and_question(autograd::Random& random);
SyntheticExample moves_and_person(autograd::Random& random);
SyntheticExample moves_and_thing(autograd::Random& random);

}  // namespace softalign::data
