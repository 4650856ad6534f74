// These functions draw one cell of a heatmap in the terminal: its weight as digits, gold brackets, and a background
// colour.
#pragma once

#include <cstddef>
#include <string>

#include "apps/terminal/terminal.h"

namespace softalign::apps {

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
