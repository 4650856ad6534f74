// This function finds the links of the largest attention weights. Every alignment record contains these links.
#pragma once

#include <cstddef>

#include "data/alignment/attention_weights.h"
#include "data/corpus/links.h"

namespace softalign::data {

// Returns one link per target word: word t is linked to the source word with the largest weight in row t + shift. There
// is no link if the largest weight is in the column of the source's </s>, or if the matrix ends before that row. If
// weights are equal, the first counts.
// With shift 0, the weights of a step belong to the word that the step writes. The last row, of </s>, is not used.
// With shift 1, they belong to the word that the step reads, which is the word of the step before. Row 0, which reads
// <s>, is not used, and the last row belongs to the last word.
// The matrix has target_words rows, or one more for </s>. It has source_words columns, or one more for </s>. Throws
// std::invalid_argument for any other size.
Links argmax_links(const Matrix& matrix, std::size_t source_words, std::size_t target_words, std::size_t shift = 0);

}  // namespace softalign::data
