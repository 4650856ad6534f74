// The terminal heatmap: one alignment record as a table of weights, a line per target word.
//
//          i    love  you   </s>  nats             p
//     je [.94 ]  ·     ·     ·     0.3 ▇▇       0.98  ← i
//     t'  .11    ·   [.88 ]  ·     0.4 ▇▇       0.94  ← you
//   aime   ·   [.45 ] .52 x  ·     0.8 ▇▇▇▇▇    0.97  ← you
//   </s>   ·     ·     ·    1.0    0.0          0.99  ← </s>
//
// [ ] stands around a sure gold link, ( ) around a possible one, x after a link that gold does not have. To the right:
// the row's entropy, the probability of the word, the source word with the largest weight. A word that no vocabulary
// has is marked: ?zyzzyva.
//
// Of a picture the maps of grid_maps.h are drawn in its place, of a story the bars of story_bars.h.
#pragma once

#include <cstddef>
#include <string>

#include "apps/terminal/terminal.h"
#include "data/alignment/record.h"

namespace softalign::apps {

struct HeatmapStyle {
  Colours colours = Colours::none;
  std::size_t columns = 100;  // cells are 6, 5 or 2 wide, the widest of these with which a line fits
};

// The style of a drawing on standard output: `choice` of colours (choose_colours); `to_screen`: it does not go to a
// file.
HeatmapStyle screen_style(const std::string& choice, bool to_screen = true);

// Several lines, each with its end: a title, the source words, one line per target step, a legend with AER, precision
// and recall of this pair (where it has gold) and the mean entropy. Without its escape sequences the coloured drawing
// is the plain one, byte for byte, that of a picture aside. Weights below .05 are dots, except where gold has a link.
std::string draw_heatmap(const data::Record& record, const HeatmapStyle& style);

// Whether a line of it fits into the columns with cells that are wide enough for two digits.
bool fits_with_numbers(const data::Record& record, const HeatmapStyle& style);

}  // namespace softalign::apps
