// Beam search works with any decoder, and translates many sources at once. Greedy search is beam search with width 1.
#pragma once

#include <vector>

#include "models/search/beam_score.h"
#include "models/search/hypothesis.h"
#include "models/seq2seq.h"

namespace softalign::models {

// beam_search returns the n best hypotheses (translations) of each sentence, which are all distinct. Hypotheses that
// ended with </s> come before those that reached the length limit. Both groups are sorted by falling score. If scores
// are equal, the hypothesis that was found first or has the smaller word id comes first. There are fewer than n
// hypotheses only if the vocabulary is too small.
//
// At each step, the search keeps the `beam` most probable continuations of a sentence's hypotheses. A continuation that
// ends in </s> is finished, and the search continues the others. The search of a sentence stops when nothing can change
// its n best translations. log p never rises, and a longer translation has a larger length penalty lp. So an unfinished
// hypothesis can reach a score of at most log p / lp(L), where L = max_length + 1 is the largest length. The coverage
// penalty cannot make this score higher, because it is at most 0. The search stops when the n-th best finished
// translation has at least this score.
//
// A logit of -infinity forbids a word. The function throws std::invalid_argument for options that check() refuses. It
// throws std::runtime_error if logits are NaN or infinite, or if there is a coverage penalty but no attention. The
// message names the sentence and the step.
std::vector<std::vector<Hypothesis>> beam_search(const Decoder& decoder, const Memory& memory,
                                                 const BeamOptions& options);
std::vector<std::vector<Hypothesis>> beam_search(const Seq2Seq& model, const Batch& batch, const BeamOptions& options);

}  // namespace softalign::models
