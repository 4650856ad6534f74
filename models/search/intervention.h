// Interventions change the attention or the word of one step of a translation. Nothing else is changed before or after
// that step, so every difference follows from it.
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

// One of these at one step of the greedy translation:
//   force    all weight on the source position `source`
//   ablate   none on `source`, the rest brought to sum 1 (uniform over the others, had `source` all of it)
//   shuffle  the step's weights, dealt anew to the words of the sentence (one order for all heads)
//   word     `word` is written, whatever is most probable; unset: the second most probable one
struct Intervention {
  data::InterventionKind kind;
  std::size_t step = 0;
  std::size_t source = 0;
  std::optional<Id> word = {};
};
const std::vector<data::InterventionKind>& known_interventions();  // all but none

// The weights of one step, a row over the sentence's positions each, as the intervention changes them.
data::Matrix intervene(const data::Matrix& rows, const Intervention& intervention, Random& random);

// The greedy translation of the memory's only sentence with this intervention; without one (nullptr) as beam search of
// one finds it. Its `weights` are the changed ones. `random` deals them. std::invalid_argument: a memory of several
// sentences, the kind none, a source position that the sentence does not have, a decoder without attention that is to
// attend elsewhere. A step past the end changes nothing.
Hypothesis decode_with(const Decoder& decoder, const Memory& memory, const Intervention* intervention, Random random);

}  // namespace softalign::models
