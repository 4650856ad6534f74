// Hard attention: a step attends to one sampled position instead of the mean of all. Xu et al. 2015, "Show, attend and
// tell", section 4.1:
//
//   s_t ~ Multinomial(alpha_t)            z_t = a_{s_t}                                             eq. 8-9
//
// models/training/hard_attention.h trains it (REINFORCE).
#pragma once

#include <functional>
#include <vector>

#include "autograd/random.h"
#include "layers/attention/memory.h"

namespace softalign::layers {

// One step of a decoder with hard attention.
struct Glance {
  Var alpha;   // (R, S)
  Ids places;  // (R) s_t; -1: the row saw the mean of all
};

// From alpha (R, S) to places as above.
using Draw = std::function<Ids(const Array& alpha)>;

// The position with the largest weight, for inference.
Ids largest_places(const Array& alpha);

// To be given to whatever can be reweighted: the weights of what was drawn are 1 there and 0 elsewhere. It draws from
// the softmax of the scores, so what the look was changed to before does not count. With `glances` each step adds one.
// std::invalid_argument in a step with several heads.
Reweight hard_looks(const Draw& draw, std::vector<Glance>* glances = nullptr);

}  // namespace softalign::layers
