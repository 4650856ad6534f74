// Between the level of pieces, which a model attends over, and the level of words, which texts and gold links count.
#pragma once

#include <cstddef>
#include <vector>

#include "data/alignment/record.h"
#include "data/text/segmenter.h"

namespace softalign::data {

// Attention over pieces -> attention over words:
//   a word of the source is looked at as much as its pieces together   sum over the columns of its pieces
//   a word of the target looks where its pieces look on average        mean over the rows of its pieces that look
// so that rows still sum to 1. In the decoder's self-attention column 0 is <s> and column j the piece before row j.
// Scores do not merge: words have none. `source` and `target` give the word of each piece,
// words in their order from 0, none left out; a row or column more, of </s>, stays as it is. std::invalid_argument for
// other sizes.
Matrix merge_pieces(const Matrix& matrix, const std::vector<size_t>& source, const std::vector<size_t>& target);
Weights merge_pieces(const Weights& weights, const std::vector<size_t>& source, const std::vector<size_t>& target);

// The log-probability of a word is the sum of those of its pieces.
std::vector<float> merge_log_prob(const std::vector<float>& log_prob, const std::vector<size_t>& target);

// The record of the same pair over words: matrices and log-probabilities merged as above. Links and entropy follow from
// the merged matrix; gold, if the record has any, must count words already.
Record merge_pieces(const Record& record, const Joined& source, const Joined& target);

// Links between words -> links between each piece of the one and each piece of the other.
Links expand_to_pieces(const Links& links, const std::vector<size_t>& source, const std::vector<size_t>& target);
Gold expand_to_pieces(const Gold& gold, const std::vector<size_t>& source, const std::vector<size_t>& target);

}  // namespace softalign::data
