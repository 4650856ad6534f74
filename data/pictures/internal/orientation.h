// How a picture is turned, as cameras write it next to the pixels (Exif, tag 274).
#pragma once

#include <string_view>

#include "data/corpus/picture.h"

namespace softalign::data {

// The orientation in an Exif block (a TIFF header and directory), 1 to 8; 1, upright, where the block has none.
int orientation_of(std::string_view exif);

// The picture as it is to be seen, where its pixels are stored in that orientation.
Picture upright(Picture picture, int orientation);

}  // namespace softalign::data
