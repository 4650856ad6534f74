// This file draws a picture with its attention weights as SVG. Cells with large weights keep their brightness, and
// other cells become darker. Bars below the picture show gates.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "data/corpus/picture.h"

namespace softalign::apps {

struct AttendedPicture {
  std::string title;
  data::Picture picture;
  std::size_t rows = 0, columns = 0;  // of the grid of cells
  std::vector<double> weights;        // (rows * columns); empty: the picture as it is
  std::vector<std::size_t> gold;      // cells, outlined in the colour of gold
  std::optional<std::size_t> asking;  // the cell that looks, outlined dashed
  std::vector<double> gates = {};     // of each channel how far it is open, 0 to 1
};

// Returns the picture as the address of an image: data:image/png;base64,..
std::string data_address(const data::Picture& picture);

// Draws pictures next to each other. The size is in px. A weight is shown as a share of the largest weight of its
// picture. Throws std::invalid_argument if the numbers of weights and cells differ, or if a gate is not between 0 and
// 1.
std::string draw(const std::vector<AttendedPicture>& pictures);

}  // namespace softalign::apps
