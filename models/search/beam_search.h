// Beam search works with any decoder, and translates many sources at once. Greedy search is beam search with width 1.
#pragma once

#include <vector>

#include "models/search/beam_score.h"
#include "models/search/hypothesis.h"
#include "models/seq2seq.h"

namespace softalign::models {

// Returns the n best hypotheses of each sentence of the memory, all distinct. Hypotheses that wrote </s> come first,
// then those that reached the length limit, both in the order of falling score. If scores are equal, the one found
// first comes first, or the one with the smaller id. There are fewer than n only if the vocabulary is too small.
//
// At each step the `beam` most probable continuations of a sentence's hypotheses are kept. One that ends in </s> is
// finished; the others go on. A sentence leaves the batch when nothing can change its n best: log p never rises, no
// hypothesis is longer than L = max_length + 1, lp grows with the length, and the coverage penalty is at most 0. (It
// may rise to 0 later, so its current value does not matter.) Therefore an unfinished hypothesis can reach at most
// log p / lp(L). The sentence leaves when the n-th best finished score is at least that.
//
// A logit of -infinity forbids a word. Throws std::invalid_argument for options that check() refuses. Throws
// std::runtime_error if logits are NaN or infinite, or if there is a coverage penalty but no attention. The message
// names the sentence and the step.
std::vector<std::vector<Hypothesis>> beam_search(const Decoder& decoder, const Memory& memory,
                                                 const BeamOptions& options);
std::vector<std::vector<Hypothesis>> beam_search(const Seq2Seq& model, const Batch& batch, const BeamOptions& options);

}  // namespace softalign::models
