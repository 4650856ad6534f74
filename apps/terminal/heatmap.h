// This file draws one alignment record in the terminal. The drawing is a heatmap of a sentence pair, maps of a
// picture's cells, or bars for a story.
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
//
//       red         above        blue
//   ▀▀▀▀▀▀       ▀▀▀▀▀▀       ▀▀▀▀▀▀          in colour: a character shows two cells, one above the other
//   7)1 · · · ·  2 2 · 2 2 ·  · · · · 1 7)    without colour: tenths; ) marks a gold cell
//   1,1 .70 ● .70 1,1 .25      2,3 .70 ● .70
//
// A picture has one small map per word. For each map, the line below the maps has the cell with the largest weight and
// this weight. If the word has gold cells, the line shows whether this cell is one of them (● or x), and the share of
// the weights in gold cells. In colour, gold cells are orange.
//
//   where is the apple
//      hop 1           hop 2
//   1 [.86 ] ▇▇▇▇▇▇▇   .07             mary got the apple
//   2   ·               ·              it rained
//   3  .09  ▇         [.82 ] ▇▇▇▇▇▇▇   mary went to the park
//   park
//
// A story has one line per sentence. The line shows a weight and a bar for each hop (attention step). Brackets mark
// gold, as in the heatmap. An answer of several words has one block per word.
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

// Returns the style of a drawing on standard output. `choice` is the user's choice of colours. `to_screen` is false if
// the drawing goes to a file.
HeatmapStyle screen_style(UseColour choice, bool to_screen = true);

// Returns the drawing, which has several lines. It has a title, the source words, one line per target step, and a
// legend. The legend has the mean entropy. If the pair has gold links, it also has AER, precision and recall. Weights
// below .05 are dots, but not on gold links. A coloured drawing without its escape sequences equals the plain drawing,
// but not for pictures.
std::string draw_heatmap(const data::Record& record, const HeatmapStyle& style);

// Returns true if a line of the drawing fits into the columns when cells are wide enough for two digits.
bool fits_with_numbers(const data::Record& record, const HeatmapStyle& style);

// Mark says whether a cell is a sure gold link, a possible gold link, a link that was found but is not gold (wrong), or
// no link.
enum class Mark { none, sure, possible, wrong };

// Draws a weight from 0 to 1 in a cell of `width` columns. With 6 columns or more it is "[.84 ]", with 5 "[.84]", and
// with 2 "8]" (tenths). The background goes from the colour of the terminal (0) to the opposite (1). All sentences have
// the same scale, so you can compare drawings.
std::string draw_cell(double weight, Mark mark, std::size_t width, Colours colours);

// Pixel is a cell of a picture, and takes half a character. Its background shows the weight as in draw_cell(). Its hue
// shows whether the cell is gold.
struct Pixel {
  double weight = 0;
  bool gold = false;
};

// Draws two cells, one above the other, as one coloured character. If there is no lower cell, the lower half has the
// colour of the terminal.
std::string draw_half_blocks(const Pixel& upper, const Pixel* lower, Colours colours);

}  // namespace softalign::apps
