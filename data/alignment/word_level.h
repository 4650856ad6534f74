// Converts attention and links from subwords of a model to words of the text, and from tokens to the user's own words.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "data/alignment/record.h"
#include "data/text/subwords.h"
#include "data/text/tokenizer.h"

namespace softalign::data {

// Attention over subwords -> attention over words, so that rows still sum to 1:
//   a word of the source gets the sum of the columns of its subwords
//   a word of the target gets the mean of the rows of its subwords that attend at all
// In the decoder's self-attention, column 0 is <s>, and column j is the subword before row j. Scores cannot be merged,
// so words have none. `source` and `target` give the word of each subword, in order from 0 without gaps. An additional
// row or column of </s> stays unchanged. std::invalid_argument for other sizes.
Matrix merge_subwords(const Matrix& matrix, const std::vector<std::size_t>& source,
                      const std::vector<std::size_t>& target);
AttentionWeights merge_subwords(const AttentionWeights& weights, const std::vector<std::size_t>& source,
                                const std::vector<std::size_t>& target);

// The log-probability of a word is the sum of those of its subwords.
std::vector<float> merge_log_prob(const std::vector<float>& log_prob, const std::vector<std::size_t>& target);

// The record of the same pair over words: matrices and log-probabilities merged as above. Links and entropy follow from
// the merged matrix; gold, if the record has any, must count words already.
Record merge_subwords(const Record& record, const Joined& source, const Joined& target);

// Links between words -> links between each subword of the one and each subword of the other.
Links expand_to_subwords(const Links& links, const std::vector<std::size_t>& source,
                         const std::vector<std::size_t>& target);
Gold expand_to_subwords(const Gold& gold, const std::vector<std::size_t>& source,
                        const std::vector<std::size_t>& target);

// The line with the position of each token in it, if these are its tokens by this rule. Otherwise, or if the line is
// empty, there is no result.
std::optional<Original> placed_in(const std::string& line, const Tokens& words, const TokenizerOptions& rule);

// The rule for a side of a record without its line or without the positions of its tokens.
enum class NoLine { refuse, tokens_are_words };

// The record over the original words, those between white space in the lines that its tokens were taken from:
//   a link between two tokens becomes one between the two words that they are part of, and so does gold
//   a source word gets the weights of its tokens added, a target word the mean of its tokens' rows
//   (merge_subwords); </s> stays as it is
// The matrix is empty if a target word has no token, or if rows belong to the words that are read. A source that is no
// words (cells, sentences) stays as it is, and so does a side without tokens that has no line. Error for a
// record that has a line but does not say where its tokens stand in it, unless they are the words of the line; for
// a token that does not stand in one word; or, if asked for, for a record that has no line.
Record over_original_words(Record record, NoLine no_line = NoLine::refuse);

}  // namespace softalign::data
