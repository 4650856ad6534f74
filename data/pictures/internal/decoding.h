// These functions serve the decoders of all picture formats.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "data/corpus/picture.h"

namespace softalign::data {

// Checks the size that the first bytes of a file give, before memory for the pixels is allocated. Throws Error
// (bad_data), starting with `where`, if there is no pixel, or if there are more than most_pixels_of_a_side or
// most_pixels.
void check_picture_size(std::uint64_t height, std::uint64_t width, const std::string& where);

// Returns the orientation, 1 to 8, in an Exif block (a TIFF header and directory), where cameras store it as tag 274.
// The result is 1, upright, if the block has no orientation.
int orientation_of(std::string_view exif);

// Returns the picture as people see it. `orientation` describes how its pixels are stored.
Picture upright(Picture picture, int orientation);

// Returns the sentence of a message that advises to convert the file `path` to PNG. The command overwrites no file.
std::string advice_to_convert(const std::string& path);

}  // namespace softalign::data
