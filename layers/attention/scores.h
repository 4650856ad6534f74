// Scores: how much a query (the decoder's state) and a source state h_j have to do with each other, e_j (R, S).
// Each has keys(states), computed once per sentence, and the score of rows that name their sentence.
#pragma once

#include <variant>

#include "layers/attention/additive.h"
#include "layers/attention/dot.h"
#include "layers/attention/heads.h"
#include "layers/attention/location.h"

namespace softalign::layers {

using Score = std::variant<AdditiveScore, DotScore, GeneralScore, LocationScore, HeadsScore>;

}  // namespace softalign::layers
