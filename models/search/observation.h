// An Observation has numbers of teacher forcing that neither training nor search stores, for a detailed view of a step.
#pragma once

#include <vector>

#include "data/alignment/attention_weights.h"
#include "models/decoder.h"

namespace softalign::models {

struct Observation {
  std::vector<data::Matrix> scores;  // of each head (T, S): e_ij, -inf where the step may not attend
  data::Norms norms;                 // only for one head: with several, the context is a projection
};

// Observes the only sentence of the memory, over its S positions. Throws std::invalid_argument for a memory of several
// sentences, or for a decoder without attention.
Observation observe(const Decoder& decoder, const Memory& memory, const Targets& targets);

}  // namespace softalign::models
