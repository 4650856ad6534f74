// Pictures as PNG (ISO/IEC 15948), by libpng.
#pragma once

#include <string>

#include "data/pictures/picture.h"

namespace data {

// The bytes of a PNG file: RGB, 8 bits. std::invalid_argument: not height * width * 3 numbers, or none.
std::string png(const Picture& picture);

}  // namespace data
