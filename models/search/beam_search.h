// Beam search with any decoder, over many sources at once. Greedy search is a beam of one.
#pragma once

#include <vector>

#include "models/search/beam_score.h"
#include "models/search/hypothesis.h"
#include "models/seq2seq.h"

namespace softalign::models {

// For each sentence of the memory its n best hypotheses, all distinct: first those that wrote </s>, then those that the
// limit cut, each kind by falling score; of equal ones the one found first, or with the smaller id. There are fewer
// than n only where a vocabulary has too few words for so many.
//
// At each step the `beam` most probable continuations of a sentence's hypotheses are kept. One that ends in </s> is
// finished; the others go on. A sentence leaves the batch when nothing can change its n best: log p never rises, no
// hypothesis grows longer than L = max_length + 1, lp grows with the length, and the coverage penalty is at most 0
// (it may rise to 0 as more words get attention, so what a live one is charged now says nothing); so what a live one
// can still reach is at most log p / lp(L), and its sentence leaves once the n-th best finished score is at least that.
//
// A logit of -infinity forbids a word. std::invalid_argument for options that check() refuses. std::runtime_error
// naming sentence and step: the model's logits are NaN or infinite; or there is a coverage penalty, but no attention.
std::vector<std::vector<Hypothesis>> beam_search(const Decoder& decoder, const Memory& memory,
                                                 const BeamOptions& options);
std::vector<std::vector<Hypothesis>> beam_search(const Seq2Seq& model, const Batch& batch, const BeamOptions& options);

}  // namespace softalign::models
