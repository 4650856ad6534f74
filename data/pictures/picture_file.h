// Pictures from files: PNG, and PPM and PGM in their binary forms, told by their first bytes.
#pragma once

#include <string>

#include "data/corpus/picture.h"

namespace softalign::data {

// Red, green and blue of 8 bits, whatever the file holds: grey gives three equal numbers, 16 bits the nearest of 8,
// transparency shows white. std::runtime_error, naming the file and what to try: it cannot be read, is empty, is no
// picture or of another kind, is cut short or damaged, has no pixel or too many (picture.h).
Picture read_picture(const std::string& path);

}  // namespace softalign::data
