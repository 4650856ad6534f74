#include <fmt/format.h>

#include "data/corpus/picture.h"
#include "data/io/internal/fields.h"
#include "data/pictures/internal/picture_size.h"

namespace softalign::data {

void check_picture_size(std::uint64_t height, std::uint64_t width, const std::string& where) {
  if (height == 0 || width == 0) fail(where, fmt::format("a picture of {} x {} pixels has none", width, height));
  if (height > most_pixels_of_a_side || width > most_pixels_of_a_side || height * width > most_pixels)
    fail(where, fmt::format("{} x {} pixels; at most {} a side and {} in all are read: make it smaller", width, height,
                            most_pixels_of_a_side, most_pixels));
}

}  // namespace softalign::data
