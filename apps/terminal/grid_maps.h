// This function draws the attention to the cells of a picture.
//
//       red         above        blue
//   ▀▀▀▀▀▀       ▀▀▀▀▀▀       ▀▀▀▀▀▀          in colour: a character shows two cells, one above the other
//   7)1 · · · ·  2 2 · 2 2 ·  · · · · 1 7)    without colour: tenths; ) marks a gold cell
//   1,1 .70 ● .70 1,1 .25      2,3 .70 ● .70
//
// A picture has one small map per word. For each map, the line below the maps has the cell with the largest weight and
// this weight. If the word has gold cells, the line shows whether this cell is one of them (● or x), and the share of
// the weights in gold cells. In colour, gold cells are orange.
#pragma once

#include <string>

#include "apps/terminal/heatmap_style.h"
#include "data/alignment/record.h"

namespace softalign::apps {

// Returns the drawing of a record of a picture.
std::string draw_grid_maps(const data::Record& record, const HeatmapStyle& style);

}  // namespace softalign::apps
