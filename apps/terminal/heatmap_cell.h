// One cell of the terminal heatmap.
#pragma once

#include <cstddef>
#include <string>

#include "apps/terminal/terminal.h"

namespace softalign::apps {

// What gold says of a cell: a sure link, a possible one, or a link found that gold does not have.
enum class Mark { none, sure, possible, wrong };

// The weight (0..1) in `width` columns, 6 "[.84 ]", 5 "[.84]" or 2 "8]" (tenths), on a background whose lightness is
// the weight: always 0 to 1, never stretched to a sentence, so that drawings compare.
std::string draw_cell(double weight, Mark mark, std::size_t width, Colours colours);

// A cell of a picture: half a character, whose lightness is the weight and whose hue says whether gold is there.
struct Pixel {
  double weight = 0;
  bool gold = false;
};

// Two cells one above the other as one character in colour; without a lower one its half stays as the terminal is.
std::string draw_half_blocks(const Pixel& upper, const Pixel* lower, Colours colours);

}  // namespace softalign::apps
