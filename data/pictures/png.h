// Pictures as PNG (ISO/IEC 15948), by libpng.
#pragma once

#include <string>
#include <string_view>

#include "data/corpus/picture.h"

namespace softalign::data {

// The bytes of a PNG file: RGB, 8 bits. std::invalid_argument: not height * width * 3 numbers, or none.
std::string png(const Picture& picture);

bool is_png(std::string_view bytes);

// The picture in such bytes of any kind: palettes, grey, 1 to 16 bits, interlaced. Where a pixel is transparent, by
// alpha, white shows through: alpha c + (1 - alpha) 255. Pixels are turned upright by the orientation in an eXIf chunk.
// std::runtime_error, starting with `where`: cut short or
// damaged (every chunk's checksum is compared), a size out of bounds.
Picture parse_png(std::string_view bytes, const std::string& where);

}  // namespace softalign::data
