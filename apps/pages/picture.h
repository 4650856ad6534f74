// A picture with its attention weights, as SVG. Cells with large weights keep their brightness, and others become
// darker. Gates are bars below it.
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

// As the address of an image: data:image/png;base64,..
std::string data_address(const data::Picture& picture);

// Pictures next to each other, at their natural size in px. Every weight is shown as a share of the largest weight of
// its picture. std::invalid_argument: another number of weights than of cells, or a gate outside of 0 to 1.
std::string draw(const std::vector<AttendedPicture>& pictures);

}  // namespace softalign::apps
