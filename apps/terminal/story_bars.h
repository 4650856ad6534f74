// This function draws the attention to the sentences of a story.
//
//   where is the apple
//      hop 1           hop 2
//   1 [.86 ] ▇▇▇▇▇▇▇   .07             mary got the apple
//   2   ·               ·              it rained
//   3  .09  ▇         [.82 ] ▇▇▇▇▇▇▇   mary went to the park
//   park
//
// A story has one line per sentence. The line shows a weight and a bar for each hop (attention step). Brackets mark the
// sentences that support the answer (gold). An answer of several words has one block per word. Each block ends with its
// word, unless `style.answer` is false.
#pragma once

#include <string>

#include "apps/terminal/heatmap_style.h"
#include "data/alignment/record.h"

namespace softalign::apps {

// Returns the drawing of a record of a story.
std::string draw_story_bars(const data::Record& record, const HeatmapStyle& style);

}  // namespace softalign::apps
