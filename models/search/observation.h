// An Observation has details of the attention, such as its scores, that training and search do not store. Programs show
// these details for a single sentence.
#pragma once

#include <vector>

#include "data/alignment/attention_weights.h"
#include "models/decoder.h"

namespace softalign::models {

struct Observation {
  std::vector<data::Matrix> scores;  // of each head (T, S): scores e_ij; -inf if step i may not attend to j
  data::Norms norms;                 // only if there is one head
};

// Returns the Observation of the only sentence of the memory, when the decoder writes the words of `targets`. Throws
// std::invalid_argument for a memory of several sentences, or for a decoder without attention.
Observation observe(const Decoder& decoder, const Memory& memory, const Targets& targets);

}  // namespace softalign::models
