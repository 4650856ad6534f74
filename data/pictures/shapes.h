// These functions draw coloured shapes on a noisy background.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "autograd/random.h"
#include "data/corpus/picture.h"

namespace softalign::data {

inline constexpr std::array<std::string_view, 6> shape_names{"circle", "square", "triangle", "cross", "ring", "bar"};
inline constexpr std::array<std::string_view, 6> colour_names{"red", "green", "blue", "yellow", "purple", "cyan"};
inline constexpr std::size_t shape_side = 7;  // height and width in pixels

// Returns a grey background. Every colour value is about a quarter of the largest value, with noise.
Picture noisy_ground(std::size_t height, std::size_t width, autograd::Random& random);

// Draws a shape. `shape` and `colour` are indices in shape_names and colour_names. The top left pixel is at (top,
// left), and each pixel of the shape becomes scale x scale pixels. Throws std::out_of_range if there is no such shape
// or colour, or if the shape does not fit into the picture.
void draw_shape(Picture& picture, std::size_t shape, std::size_t colour, std::size_t top, std::size_t left,
                std::size_t scale = 1);

}  // namespace softalign::data
