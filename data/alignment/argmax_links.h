// The links of the largest weights, which every record has.
#pragma once

#include <cstddef>

#include "data/alignment/attention_weights.h"
#include "data/corpus/links.h"

namespace softalign::data {

// Returns one link per target word: word t is linked to the source word with the largest weight in row t + shift. There
// is no link if the largest weight is in the column of the source's </s>, or if the matrix ends before that row. If
// weights are equal, the first counts.
//   shift 0: a step's weights belong to the word that it writes (the last row, of </s>, is not used).
//   shift 1: they belong to the word that it reads, which is the word written a step earlier (row 0, which reads <s>,
//            is not used, the last row belongs to the last word).
// The matrix has target_words rows, or one more for </s>. It has source_words columns, or one more for </s>. Throws
// std::invalid_argument for any other size.
Links argmax_links(const Matrix& matrix, std::size_t source_words, std::size_t target_words, std::size_t shift = 0);

}  // namespace softalign::data
