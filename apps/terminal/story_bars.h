// A story in the terminal: a line a sentence, for each look (hop) its weight and a bar.
//
//   where is the apple
//      hop 1           hop 2
//   1 [.86 ] ▇▇▇▇▇▇▇   .07             mary got the apple
//   2   ·               ·              it rained
//   3  .09  ▇         [.82 ] ▇▇▇▇▇▇▇   mary went to the park
//   park
#pragma once

#include <cstddef>
#include <string>

#include "apps/terminal/terminal.h"
#include "data/alignment/record.h"

namespace softalign::apps {

// Brackets are gold's, as in the heatmap. Of an answer of several words each has a block of its own.
std::string draw_story_bars(const data::Record& record, Colours colours, std::size_t columns);

}  // namespace softalign::apps
