// A run of train --align has two attentions from target words to source words. The decoder has learned its attention d
// in order to translate, and the alignment layer has learned its attention g from word links. They make different
// errors, so the programs show both combined, as a product of experts (Hinton 2002, "Training Products of Experts by
// Minimizing Contrastive Divergence"):
//
//   c_ij = g_ij^w d_ij^(1-w) / sum_j' g_ij'^w d_ij'^(1-w)      0 <= w <= 1, the share of the layer
//
// Weights below 1e-4 count as 1e-4, so that no attention alone can rule out a word.
//
// The share w is chosen after the training, without gold links. If links are right, a source word has few different
// translations. Each target word e_i of some training pairs is linked to the source word f_i, or </s>, with the largest
// weight c_ij. The best w has the smallest cross-entropy of target words, given their source words:
//
//   H = - 1/N sum_i ln p(e_i | f_i)      p(e | f) = (n(e, f) - 1 + p(e)) / n(f)
//
// N is the number of target words. n(e, f) and n(f) are counts of links, and p(e) is the share of e in the target
// words. Each link is left out of its own counts (leave-one-out), because otherwise a link between two rare words would
// always seem right. A pseudo-count of 1 is divided among all e in proportion to p(e), so that p(e | f) is never 0.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "data/alignment/attention_weights.h"
#include "data/corpus/corpus.h"

namespace softalign::models {

// BothAttentions has the two attentions of one pair as (target, source) matrices. `source` has the source words, and
// </s> if the matrices have a column for it. `target` has the target words. The matrices may have one more row, for
// </s>, which best_share ignores.
struct BothAttentions {
  data::Tokens source, target;
  data::Matrix layer, decoder;
};

// Returns c. Both matrices must have the same size.
data::Matrix combine(const data::Matrix& layer, const data::Matrix& decoder, double share);

// Returns H in nats per link, for links (f_i, e_i) between source and target words. It is 0 if there are no links.
double link_cross_entropy(const std::vector<std::pair<std::string, std::string>>& links);

// Returns the share w of 0, 0.1, .. 1 with the smallest H. It returns 1 if there are no pairs, and the largest w if
// several are equally good.
double best_share(const std::vector<BothAttentions>& pairs);

}  // namespace softalign::models
