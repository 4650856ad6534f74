// This file draws one alignment record in the terminal. The drawing is a heatmap of a sentence pair. grid_maps.h
// draws pictures, and story_bars.h draws stories.
//
//          i    love  you   </s>  nats             p
//     je [.94 ]  ·     ·     ·     0.3 ▇▇       0.98  ← i
//     t'  .11    ·   [.88 ]  ·     0.4 ▇▇       0.94  ← you
//   aime   ·   [.45 ] .52 x  ·     0.8 ▇▇▇▇▇    0.97  ← you
//   </s>   ·     ·     ·    1.0    0.0          0.99  ← </s>
//
// The heatmap has one line per target word. Gold links are links that are known to be right. Brackets [ ] mark a sure
// gold link, ( ) mark a possible one, and x marks a link that is not in gold. The columns on the right have the entropy
// of the row, the probability of the word, and the source word with the largest weight. A question mark precedes an
// unknown word: ?zyzzyva.
#pragma once

#include <string>

#include "apps/terminal/heatmap_style.h"
#include "data/alignment/record.h"

namespace softalign::apps {

// Returns the drawing, which has several lines. It has a title, the source words, one line per target step, and a
// legend. The legend has the mean entropy. If the pair has gold links, it also has AER, precision and recall. Weights
// below .05 are dots, but not on gold links. If you remove the escape sequences from a coloured heatmap, you get the
// plain heatmap.
std::string draw_heatmap(const data::Record& record, const HeatmapStyle& style);

// Returns true if the width style.columns is enough to draw each weight with two digits. For pictures and stories, it
// always returns true.
bool fits_with_numbers(const data::Record& record, const HeatmapStyle& style);

}  // namespace softalign::apps
