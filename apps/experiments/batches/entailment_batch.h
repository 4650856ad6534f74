// Pairs of sentences (data/entailment) as numbers for decomposable attention.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/entailment/entailment.h"
#include "models/small/decomposable_attention.h"

namespace apps {

// B pairs; the same seed draws the same.
struct EntailmentBatch {
  EntailmentBatch(std::size_t B, std::uint64_t seed);

  std::vector<data::Entailment> drawn;
  models::SentencePairs pairs;  // a the premises, b the hypotheses
  autograd::Ids labels;         // (B)

  static std::size_t words();  // V
};

}  // namespace apps
