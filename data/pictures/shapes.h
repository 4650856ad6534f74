// Coloured shapes on a noisy ground.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "autograd/random.h"
#include "data/corpus/picture.h"

namespace softalign::data {

inline constexpr std::array<std::string_view, 6> shape_names{"circle", "square", "triangle", "cross", "ring", "bar"};
inline constexpr std::array<std::string_view, 6> colour_names{"red", "green", "blue", "yellow", "purple", "cyan"};
inline constexpr std::size_t shape_side = 7;  // pixels, each way

// A grey background. Every number is about a quarter of the brightest, with noise.
Picture noisy_ground(std::size_t height, std::size_t width, autograd::Random& random);

// Draws a shape (an index in shape_names) in a colour (an index in colour_names). Its top left pixel is at (top, left),
// and each of its pixels becomes scale x scale pixels. std::out_of_range: no such shape or colour, or it does not fit.
void draw_shape(Picture& picture, std::size_t shape, std::size_t colour, std::size_t top, std::size_t left,
                std::size_t scale = 1);

}  // namespace softalign::data
