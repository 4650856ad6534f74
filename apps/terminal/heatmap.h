// One alignment record in the terminal: a heatmap of a sentence pair, maps of a picture's cells, or bars of a story.
//
//          i    love  you   </s>  nats             p
//     je [.94 ]  ·     ·     ·     0.3 ▇▇       0.98  ← i
//     t'  .11    ·   [.88 ]  ·     0.4 ▇▇       0.94  ← you
//   aime   ·   [.45 ] .52 x  ·     0.8 ▇▇▇▇▇    0.97  ← you
//   </s>   ·     ·     ·    1.0    0.0          0.99  ← </s>
//
// The heatmap has one line per target word. [ ] marks a sure gold link, ( ) a possible one, and x a link that is not in
// gold. The columns on the right are the entropy of the row, the probability of the word, and the source word with the
// largest weight. An unknown word is marked: ?zyzzyva.
//
//       red         above        blue
//   ▀▀▀▀▀▀       ▀▀▀▀▀▀       ▀▀▀▀▀▀          in colour: two cells a character, one above the other
//   7)1 · · · ·  2 2 · 2 2 ·  · · · · 1 7)    without: tenths, ) beside a gold cell
//   1,1 .70 ● .70 1,1 .25      2,3 .70 ● .70
//
// A picture has one small map per word. Below each map is its largest cell and, if the word has gold, whether this cell
// is in gold (● or x), and the share of the weights in gold. In colour, gold cells are orange.
//
//   where is the apple
//      hop 1           hop 2
//   1 [.86 ] ▇▇▇▇▇▇▇   .07             mary got the apple
//   2   ·               ·              it rained
//   3  .09  ▇         [.82 ] ▇▇▇▇▇▇▇   mary went to the park
//   park
//
// A story has one line per sentence, with its weight and a bar for each hop. Brackets mark gold, as in the heatmap. An
// answer of several words has one block per word.
#pragma once

#include <cstddef>
#include <string>

#include "apps/terminal/terminal.h"
#include "data/alignment/record.h"

namespace softalign::apps {

struct HeatmapStyle {
  Colours colours = Colours::none;
  std::size_t columns = 100;  // no line is wider; cells narrow to 5 and 2, and a long sentence is drawn in blocks
};

// The style of a drawing on standard output: `choice` of colours (choose_colours); `to_screen`: it does not go to a
// file.
HeatmapStyle screen_style(UseColour choice, bool to_screen = true);

// Returns several lines: a title, the source words, one line per target step, and a legend with AER, precision and
// recall of this pair (if it has gold) and the mean entropy. Except for pictures, the coloured drawing without its
// escape sequences equals the plain one. Weights below .05 are dots, except where gold has a link.
std::string draw_heatmap(const data::Record& record, const HeatmapStyle& style);

// Whether a line of it fits into the columns with cells that are wide enough for two digits.
bool fits_with_numbers(const data::Record& record, const HeatmapStyle& style);

// The mark of a cell: a sure gold link, a possible one, or a found link that gold does not have.
enum class Mark { none, sure, possible, wrong };

// The weight (0..1) in `width` columns, 6 or more "[.84 ]", 5 "[.84]" or 2 "8]" (tenths). Its background goes from that
// of the terminal (0) to the opposite (1). The scale is the same for all sentences, so you can compare drawings.
std::string draw_cell(double weight, Mark mark, std::size_t width, Colours colours);

// A cell of a picture is half a character. Its background shows the weight as above, and its hue shows whether it is
// gold.
struct Pixel {
  double weight = 0;
  bool gold = false;
};

// Two cells, one above the other, as one coloured character. If there is no lower cell, that half has the colour of the
// terminal.
std::string draw_half_blocks(const Pixel& upper, const Pixel* lower, Colours colours);

}  // namespace softalign::apps
