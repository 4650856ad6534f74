// This file computes a saliency map over a picture, as in Itti, Koch & Niebur 1998, "A model of saliency-based visual
// attention for rapid scene analysis". It uses three features of a pixel: its intensity, red against green, and blue
// against yellow. Each feature has two maps, one for pixels above their surround and one for pixels below it. Unlike in
// the paper, there are no maps of orientations, and there is only one scale.
//
//   map     = max(0, +-(mean of a small window - mean of a large one))    centre and surround
//   N(map)  = map (M - m)^2
//   S       = sum of N(map)      an object that is alone in one map stands out
//
// The picture is a board of squares. Each map is scaled so that its largest value M is 1. m is the mean, over the other
// squares, of the largest value in a square. Squares whose largest value is at most 1/10 do not count. S is the
// saliency map. It has no parameters. Psychology calls such attention bottom-up, because only the picture decides it.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "autograd/random.h"
#include "data/pictures/synthetic_tasks.h"

namespace softalign::apps {

// PixelMap has one number per pixel.
using PixelMap = std::vector<double>;

// Returns the normalised map N(map), with the formula above, for a board of 4 x 4 squares
// (data/pictures/synthetic_tasks.h). A map of zeros does not change.
PixelMap normalised(PixelMap map);

PixelMap saliency_map(const data::Picture& board);

// Returns the squares of the board, the most salient first. Attention visits them in this order, because each visited
// square is inhibited (inhibition of return).
std::vector<std::size_t> scan_path(const PixelMap& saliency);

// OddOneOut has six objects on a board. Five have the same colour, and one has another colour. Their shapes are random.
struct OddOneOut {
  data::Picture picture;
  std::array<data::BoardObject, 6> objects;  // the first is the odd one
};
OddOneOut draw_odd_one_out(autograd::Random& random);

}  // namespace softalign::apps
