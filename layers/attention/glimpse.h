// From scores to a glimpse: what every global attention does once it has its scores.
#pragma once

#include "layers/memory.h"

namespace layers {

// alpha = softmax(e) over the words of each row's sentence, exactly 0 on padding;  c = sum_j alpha_j h_j.
// e (R, S); sentence (R) names each row's sentence.
Glimpse glimpse(const Var& e, const Memory& memory, const Ids& sentence);

// (B, S): 1 for the steps before each length, 0 from there on.
Array length_mask(const std::vector<std::size_t>& lengths, std::size_t steps);

}  // namespace layers
