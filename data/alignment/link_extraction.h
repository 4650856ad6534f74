// These functions extract links between words from attention weights. The simplest rule takes the largest weight of
// each row.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/alignment/attention_weights.h"
#include "data/alignment/record.h"
#include "data/corpus/links.h"

namespace softalign::data {

// Returns one link per target word. Target word t is linked to the source word with the largest weight in row t +
// shift. There is no link if the largest weight is in the column of the source's </s>, or if the matrix has no such
// row. If weights are equal, the first counts.
//   - With shift 0, the weights of a step belong to the word that the step writes. The last row, for </s>, is not used.
//   - With shift 1, the weights of a step belong to the word that the step reads, which the previous step wrote. Row 0,
//     whose step reads <s>, is not used, and the last row belongs to the last word.
//
// The matrix has target_words rows, or one more for </s>. It has source_words columns, or one more for </s>. Throws
// std::invalid_argument for other sizes.
Links argmax_links(const Matrix& matrix, std::size_t source_words, std::size_t target_words, std::size_t shift = 0);

struct LinkRule {
  std::string name = "best";
  double threshold = 0.25;  // for the rule threshold, in 0 .. 1
};

// Returns the links that a rule finds in a record. a_ts is the attention weight of source word s for target word t. The
// source's </s> may have a column, too. argmax means the position of the largest number.
//   - best: links t to the argmax of row t. There is no link if this is </s> (argmax_links).
//   - best-word: links t to the argmax of row t among the words, without </s>.
//   - threshold: links t to every s with a_ts >= threshold.
//   - mutual: links t to s if s is the argmax of row t, and t is the argmax of column s.
//   - product: links t to the s with the largest product of a_ts and its share of the column, a_ts / sum_t' a_t's.
//     There is no link if this is </s>. With this rule, a word with nearly equal weights, for example an unknown word,
//     gets the source word to which no other word attends.
//
// If weights are equal, the first counts. Throws std::invalid_argument for another rule, and names the known rules.
// Also throws std::invalid_argument for a record whose matrix does not fit its words.
Links links_by(const LinkRule& rule, const Record& record);
const std::vector<std::string>& known_link_rules();

}  // namespace softalign::data
