// This function draws the attention to the cells of a picture. A gold cell is a cell to which a gold link links the
// word.
//
//       red         above        blue
//   ▀▀▀▀▀▀       ▀▀▀▀▀▀       ▀▀▀▀▀▀          in colour: a character shows two cells, one above the other
//   7)1 · · · ·  2 2 · 2 2 ·  · · · · 1 7)    without colour: weights in tenths; ) marks a gold cell
//   1,1 .70 ● .70 1,1 .25      2,3 .70 ● .70
//
// Each word of the caption has its own map of the picture. The line below a map shows the cell with the largest weight,
// and this weight. If the word has gold cells, the line also shows ● if the cell is a gold cell, otherwise x, and the
// sum of the weights of all gold cells. In colour, gold cells are orange.
#pragma once

#include <string>

#include "apps/terminal/heatmap_style.h"
#include "data/alignment/record.h"

namespace softalign::apps {

// Returns the drawing of a record of a picture.
std::string draw_grid_maps(const data::Record& record, const HeatmapStyle& style);

}  // namespace softalign::apps
