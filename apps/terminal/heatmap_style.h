// HeatmapStyle has the settings for the drawing of an alignment record in a terminal, for example its colours and its
// width.
#pragma once

#include <cstddef>

#include "apps/terminal/terminal.h"

namespace softalign::apps {

struct HeatmapStyle {
  Colours colours = Colours::none;
  std::size_t columns = 100;  // no line is wider; cells narrow to 5 and 2, and a long sentence is drawn in blocks
  bool answer = true;         // the drawing of a story ends with the answer; false if the program prints the answer
};

// Returns the style of a drawing. `choice` is the user's choice of colours. `to_screen` is true if the drawing goes to
// standard output, and false if it goes to a file.
HeatmapStyle screen_style(UseColour choice, bool to_screen = true);

}  // namespace softalign::apps
