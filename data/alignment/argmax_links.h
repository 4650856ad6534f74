// Links read off an attention matrix.
#pragma once

#include <cstddef>

#include "data/alignment/weights.h"
#include "data/corpus/links.h"

namespace softalign::data {

// One link per target word: word t is linked to the source word with the largest weight in row t + shift. There is no
// link if that largest weight stands in the column of the source's </s>, or if the matrix ends before that row. Of
// equal weights the first counts.
//   shift 0: a step's weights belong to the word that it writes (the last row, of </s>, is not used).
//   shift 1: they belong to the word that it reads, which is the word written a step earlier (row 0, which reads <s>,
//            is not used, the last row belongs to the last word).
// The matrix has target_words or target_words + 1 rows (with </s>) of source_words or source_words + 1 columns (with
// </s>); anything else is std::invalid_argument.
Links argmax_links(const Matrix& matrix, size_t source_words, size_t target_words, size_t shift = 0);

}  // namespace softalign::data
