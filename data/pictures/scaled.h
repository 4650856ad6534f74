// A picture in another size.
#pragma once

#include "data/corpus/picture.h"

namespace softalign::data {

// Each pixel is the mean, rounded, of the part of the picture that it covers (a box filter). The same size gives the
// same picture. std::invalid_argument: no pixel on either side.
Picture scaled(const Picture& picture, size_t height, size_t width);

}  // namespace softalign::data
