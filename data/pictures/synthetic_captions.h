// Pictures with captions as lines of data/pictures/captions.h.
#pragma once

#include "autograd/random.h"
#include "data/corpus/synthetic_example.h"

namespace softalign::data {

SyntheticExample shapes_and_caption(autograd::Random& random);  // data/pictures/boards.h
SyntheticExample scene_and_caption(autograd::Random& random);   // data/pictures/scenes.h

}  // namespace softalign::data
