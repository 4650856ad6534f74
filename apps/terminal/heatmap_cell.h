// One cell of the terminal heatmap.
#pragma once

#include <cstddef>
#include <string>

#include "apps/terminal/terminal.h"

namespace apps {

// What gold says of a cell: a sure link, a possible one, or a link found that gold does not have.
enum class Mark { none, sure, possible, wrong };

// The weight (0..1) in `width` columns, 6 "[.84 ]", 5 "[.84]" or 2 "8]" (tenths), on a background whose lightness is
// the weight: always 0 to 1, never stretched to a sentence, so that drawings compare.
std::string draw_cell(double weight, Mark mark, std::size_t width, Colours colours);

}  // namespace apps
