// A soft alignment as a picture in SVG.
#pragma once

#include <cstddef>
#include <string>

#include "data/alignment/record.h"

namespace softalign::apps {

// Weights are drawn in so many steps, .w0 to .w24.
constexpr std::size_t weight_steps = 24;
std::string weight_class(double weight);

// How a matrix is drawn.
struct MatrixLook {
  double cell = 16;      // px, a side
  bool numbers = false;  // weights from .05 in their cells
};

// Rows are target words, columns source words, the shade of a cell its weight on the viewer's fixed scale; gold links
// are outlined, possible ones dashed. Its natural size is in px; what holds it says how its classes look.
struct MatrixPicture {
  double width = 0, height = 0;
  std::string content;  // the elements in an <svg>
};
MatrixPicture matrix_picture(const data::Record& record, const MatrixLook& look = {});

// The same as an element of a page.
std::string draw_matrix(const data::Record& record);

}  // namespace softalign::apps
