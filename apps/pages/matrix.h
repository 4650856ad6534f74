// Soft alignments as SVG: a matrix in a page, and a separate file with several matrices.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "data/alignment/record.h"

namespace softalign::apps {

// The number of shades for weights, .w0 to .w24.
constexpr std::size_t weight_steps = 24;
std::string weight_class(double weight);

// The options of a drawing of a matrix.
struct MatrixStyle {
  double cell = 16;      // px, a side
  bool numbers = false;  // weights from .05 in their cells
};

// Rows are target words, and columns are source words. The shade of a cell is its weight on the viewer's fixed scale.
// Gold links are outlined, and possible links are dashed. Its natural size is in px. The surrounding document defines
// the style of its classes.
struct MatrixPicture {
  double width = 0, height = 0;
  std::string content;  // the elements in an <svg>
};
MatrixPicture matrix_picture(const data::Record& record, const MatrixStyle& look = {});

// The same as an element of a page, enlarged by a factor.
std::string draw_matrix(const data::Record& record, double scale = 1);

// The light theme of the pages, for pictures outside of a page.
extern const std::string_view light_theme;  // light.css, as the build embeds it (embed.cmake)

// The value of a name in light.css: "gold" -> "#c96f00", "sans" -> the fonts. std::invalid_argument: no such name.
std::string of_light_theme(std::string_view name);

// The colour of a weight from 0 to 1, "#rrggbb", interpolated between the seven stops of the theme.
std::string weight_colour(double weight);

// Alignment matrices as one SVG file for a paper or a slide. It has a light theme, contains its style, and fetches
// nothing.
class Sheet {
 public:
  // Adds a figure below the others, with a caption above it if there is one. It is a group with the id "figure-1",
  // "figure-2" .., and its title has the first words of both sentences. data::Error: it has more than 1,000 cells per
  // side, or all figures have more than 100,000 cells or are higher than 1,000,000 px.
  void add(const data::Record& record, const std::string& caption = "");

  // The drawing of all: well-formed XML, whatever the words are.
  std::string svg() const;

 private:
  std::size_t figures_ = 0, cells_ = 0;
  double width_ = 0, height_ = 0;
  std::string content_;
};

}  // namespace softalign::apps
