// This file turns pairs of sentences (data/sentence_pairs) into numbers for the model of decomposable attention.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/sentence_pairs/synthetic_pairs.h"
#include "models/sentence_pairs/decomposable_attention.h"

namespace softalign::apps {

// EntailmentBatch has B pairs of sentences. The same seed gives the same pairs.
struct EntailmentBatch {
  EntailmentBatch(std::size_t B, std::uint64_t seed);

  std::vector<data::Entailment> examples;
  models::SentencePairs pairs;  // premises a and hypotheses b
  autograd::Ids labels;         // (B)

  static std::size_t words();  // V
};

}  // namespace softalign::apps
