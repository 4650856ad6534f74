// An intervention changes the attention or the word at one step of a translation. Nothing else is changed, so every
// difference in the translation follows from the intervention.
//
// Attention weights show which encoder outputs the context contains. Only an intervention shows whether the attention
// was the reason for a word (Jain & Wallace 2019, "Attention is not Explanation", section 4.2).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "data/alignment/record.h"
#include "models/search/hypothesis.h"

namespace softalign::models {

// An Intervention changes one step of the greedy translation in one of five ways.
//   - force: the source position `source` gets all the attention weight.
//   - ablate: the weight of `source` becomes 0, and the others are divided by their sum. If `source` had all the
//     weight, the others get equal weights.
//   - shuffle: the weights are put into a random order. All heads get the same order.
//   - weights: all heads get the weights `row`, one per source position, divided by their sum.
//   - word: the decoder writes `word`, or the second most probable word if `word` is not set.
struct Intervention {
  data::InterventionKind kind;
  std::size_t step = 0;
  std::size_t source = 0;
  std::optional<Id> word = {};
  std::vector<float> row = {};
};
// Returns the kinds of intervention that need no weights from the user: force, ablate, shuffle and word.
const std::vector<data::InterventionKind>& known_interventions();

// Applies the intervention to the attention weights of one step. `rows` has one row per head and one column per source
// position. Returns the changed weights.
data::Matrix intervene(const data::Matrix& rows, const Intervention& intervention, Random& random);

// Returns the greedy translation of one sentence, with an intervention at one step. `memory` has the encoder outputs of
// the sentence. Without an intervention (nullptr), the result is that of beam search with width 1. The result contains
// the changed attention weights. `random` is for the kind shuffle. If the translation ends before the step, nothing
// changes. Throws std::invalid_argument for several sentences, for the kind none, for a source position outside of the
// sentence, or for a change of attention in a decoder without attention. Also throws std::invalid_argument if the
// user's weights (Intervention::row) have another length than the sentence, contain a negative weight, or sum to 0.
Hypothesis decode_with(const Decoder& decoder, const Memory& memory, const Intervention* intervention, Random random);

}  // namespace softalign::models
