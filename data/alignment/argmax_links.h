// This function finds the links of the largest attention weights. Every alignment record contains these links.
#pragma once

#include <cstddef>

#include "data/alignment/attention_weights.h"
#include "data/corpus/links.h"

namespace softalign::data {

// `matrix` has one row of attention weights per decoding step: target_words rows, or one more for </s>. It has
// source_words columns, or one more for </s>. The function links target word t to the source word with the largest
// weight in row t+shift. If several weights are the largest, the first of them counts. Word t has no link if the
// largest weight is in the column of the source's </s>, or if the matrix has no row t+shift.
// If `shift` is 0, a row belongs to the word that the decoder writes in this step. The row of </s> is not used.
// If `shift` is 1, a row belongs to the word that the decoder reads in this step, which is the word that it wrote in
// the step before. Row 0 belongs to <s> and is not used, and the last row belongs to the last word.
// Throws std::invalid_argument if the matrix has another size.
Links argmax_links(const Matrix& matrix, std::size_t source_words, std::size_t target_words, std::size_t shift = 0);

}  // namespace softalign::data
