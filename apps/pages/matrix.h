// This file draws soft alignments, which are matrices of attention weights, as SVG. It draws a matrix in a page, or
// several matrices in a separate file.
#pragma once

#include <string>

#include "data/alignment/record.h"

namespace softalign::apps {

// MatrixStyle has the options of a drawing of a matrix.
struct MatrixStyle {
  double cell = 16;      // width and height of a cell, in px
  bool numbers = false;  // print weights from .05 in their cells
};

// MatrixPicture is the drawing of a matrix. Rows are target words, and columns are source words. A darker cell has a
// larger weight, and the scale is the same in all drawings. Gold links are outlined, and possible links have dashed
// outlines. Sizes are in px. The drawing uses CSS classes. The HTML page or SVG file that contains the drawing must
// define them.
struct MatrixPicture {
  double width = 0, height = 0;
  std::string content;  // the elements inside <svg>
};
MatrixPicture matrix_picture(const data::Record& record, const MatrixStyle& style = {});

// Returns the drawing of a matrix as an element of a page, enlarged by a factor.
std::string draw_matrix(const data::Record& record, double scale = 1, const MatrixStyle& style = {});

// The class Sheet makes one SVG file of several alignment matrices, for a paper or a slide. The file uses the light
// theme, contains its style, and loads nothing.
class Sheet {
 public:
  // Adds a figure below the others, with an optional caption above the figure. The figure is a group with the id
  // "figure-1", "figure-2" and so on. The title of the group has the first words of the source sentence and of the
  // target sentence. Throws data::Error if the figure has more than 1,000 rows or columns, or if all figures together
  // have more than 100,000 cells or are higher than 1,000,000 px.
  void add(const data::Record& record, const std::string& caption = "");

  // Returns the drawing of all figures. It is well-formed XML, whatever characters the words contain.
  std::string svg() const;

 private:
  std::size_t figures_ = 0, cells_ = 0;
  double width_ = 0, height_ = 0;
  std::string content_;
};

}  // namespace softalign::apps
