// Stories of people who go from room to room, take things along and leave them.
#pragma once

#include "data/stories/synthetic_stories.h"

namespace softalign::data {

// with_things: a thing is asked for, not a person.
Story draw_moves(bool with_things, size_t sentences, autograd::Random& random);
std::vector<std::string> words_of_moves();

}  // namespace softalign::data
