// A saliency map over a picture: Itti, Koch & Niebur 1998, "A model of saliency-based visual attention for rapid scene
// analysis". Six maps: intensity, red against green and blue against yellow, each above and below its surround. There
// are no orientations, and one scale.
//
//   map     = max(0, +-(mean of a small window - mean of a large one))    centre and surround
//   N(map)  = map (M - m)^2      map scaled to a maximum M = 1; m the mean of the other squares' peaks above a tenth
//   S       = sum of N(map)      an object that is alone in one map stands out
//
// The map has no parameters. It is bottom-up attention, a nonvolitional cue.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "autograd/random.h"
#include "data/pictures/synthetic_tasks.h"

namespace softalign::apps {

// A number for each pixel.
using PixelMap = std::vector<double>;

// N(map) of a board of 4 x 4 squares (data/pictures/synthetic_tasks.h). A map of zeros stays.
PixelMap normalised(PixelMap map);

PixelMap saliency_map(const data::Picture& board);

// The squares of the board, the most salient first. Attention visits them in this order, because each visited square is
// inhibited (inhibition of return).
std::vector<std::size_t> scan_path(const PixelMap& saliency);

// Six objects on a board, five of one colour and one of another, of any shapes.
struct OddOneOut {
  data::Picture picture;
  std::array<data::BoardObject, 6> objects;  // the first is the odd one
};
OddOneOut draw_odd_one_out(autograd::Random& random);

}  // namespace softalign::apps
