// This file draws a picture with its attention weights as SVG. Cells with large weights keep their brightness, and
// other cells become darker. Bars below the picture show its gates, which are numbers from 0 (closed) to 1 (open).
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
  std::size_t rows = 0, columns = 0;  // size of the grid of cells
  std::vector<double> weights;        // (rows * columns); empty: no cell is darkened
  std::vector<std::size_t> gold;      // cells with an outline in the colour of gold
  std::optional<std::size_t> asking;  // the cell that attends; it has a dashed outline
  std::vector<double> gates = {};     // one gate per channel: 0 closed, 1 open
};

// Returns the picture as a data URL for an image element: data:image/png;base64,..
std::string data_address(const data::Picture& picture);

// Draws pictures next to each other. Sizes are in px. A weight is shown as a share of the largest weight of its
// picture. Throws std::invalid_argument if the numbers of weights and cells differ, or if a gate is not between 0 and
// 1.
std::string draw(const std::vector<AttendedPicture>& pictures);

}  // namespace softalign::apps
