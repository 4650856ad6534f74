// A part of a picture.
#pragma once

#include <cstddef>

namespace softalign::data {

struct Box {
  size_t left, top, width, height;  // pixels
};

}  // namespace softalign::data
