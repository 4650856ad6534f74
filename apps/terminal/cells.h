// These functions draw one cell of a heatmap in the terminal: its weight as digits, gold brackets, and a background
// colour.
#pragma once

#include <cstddef>
#include <string>

#include "apps/terminal/terminal.h"

namespace softalign::apps {

// The enum Mark says whether a cell is a sure gold link, a possible gold link, a link that was found but is not gold
// (wrong), or no link.
enum class Mark { none, sure, possible, wrong };

// Draws a weight from 0 to 1 in a cell of `width` columns. Brackets show a sure gold link: the weight 0.84 is "[.84 ]"
// in 6 columns, "[.84]" in 5, ".84]" in 4, and "84]" in 3. In 2 columns it is "8]", with only the tenths. In a dark
// terminal, the background of the cell is dark for 0 and bright for 1. In a light terminal, it is bright for 0. The
// scale is the same for all sentences, so you can compare drawings.
std::string draw_cell(double weight, Mark mark, std::size_t width, Colours colours);

// The struct Pixel describes one cell of a picture. It is drawn half a character high. A larger weight has a background
// that differs more from the background of the terminal. The pixel is orange if the cell is a gold cell, and otherwise
// blue or grey.
struct Pixel {
  double weight = 0;
  bool gold = false;
};

// Draws two cells, one above the other, as one coloured character. If there is no lower cell, the lower half has the
// colour of the terminal.
std::string draw_half_blocks(const Pixel& upper, const Pixel* lower, Colours colours);

}  // namespace softalign::apps
