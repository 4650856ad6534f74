// Pictures with captions as lines of data/corpus/captions.h.
#pragma once

#include "data/drawn/drawn.h"

namespace data {

Drawn shapes_and_caption(autograd::Random& random);  // data/pictures/boards.h
Drawn scene_and_caption(autograd::Random& random);   // data/pictures/scenes.h

}  // namespace data
