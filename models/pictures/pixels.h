// Pictures of one size as numbers.
#pragma once

#include "autograd/array.h"
#include "data/corpus/picture.h"

namespace softalign::models {

// Picture b of B into values (H*W, B, 3), in [0, 1].
inline void write_pixels(const data::Picture& picture, std::size_t b, autograd::Array& values) {
  const std::size_t B = values.dim(1);
  for (std::size_t i = 0; i < values.dim(0); ++i)
    for (std::size_t c = 0; c < 3; ++c)
      values[(i * B + b) * 3 + c] = static_cast<autograd::Real>(picture.rgb[i * 3 + c]) / 255;
}

}  // namespace softalign::models
