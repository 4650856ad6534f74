// An intervention changes the attention or the word of one step of a translation. It changes nothing else before or
// after that step, so every difference follows from the intervention.
//
// Attention shows which encoder outputs the context contains. Only a change shows whether the attention was the reason
// for a word (Jain & Wallace 2019, "Attention is not Explanation", section 4.2).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "data/alignment/record.h"
#include "models/search/hypothesis.h"

namespace softalign::models {

// An Intervention is one of these changes at one step of the greedy translation:
//   force    all weight on the source position `source`
//   ablate   none on `source`, the rest brought to sum 1 (uniform over the others, had `source` all of it)
//   shuffle  the step's weights, in a random order over the words of the sentence (one order for all heads)
//   weights  the weights are `row`, over the words of the sentence and </s>, divided by their sum (in all heads)
//   word     `word` is written, whatever is most probable; unset: the second most probable one
struct Intervention {
  data::InterventionKind kind;
  std::size_t step = 0;
  std::size_t source = 0;
  std::optional<Id> word = {};
  std::vector<float> row = {};
};
// Returns the kinds that need no given weights: all but none and weights.
const std::vector<data::InterventionKind>& known_interventions();

// Applies the intervention to the weights of one step. `rows` has one row per head, over the positions of the sentence.
data::Matrix intervene(const data::Matrix& rows, const Intervention& intervention, Random& random);

// Returns the greedy translation of the only sentence of the memory with this intervention. Without an intervention
// (nullptr), it is the result of beam search with width 1. Its `weights` are the changed ones, and `random` shuffles
// them. A step after the end changes nothing. Throws std::invalid_argument for a memory of several sentences, the kind
// none, a source position outside of the sentence, a row of another length, with a negative weight or with the sum 0,
// or a decoder without attention if the attention is to change.
Hypothesis decode_with(const Decoder& decoder, const Memory& memory, const Intervention* intervention, Random random);

}  // namespace softalign::models
