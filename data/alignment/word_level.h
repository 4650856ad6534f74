// This file converts attention and links from subwords of a model to words of the text, and from tokens to the user's
// own words.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "data/alignment/record.h"
#include "data/text/subwords.h"
#include "data/text/tokenizer.h"

namespace softalign::data {

// Merges the rows and columns of attention over subwords to attention over words, so that rows still sum to 1:
//   a word of the source gets the sum of the columns of its subwords
//   a word of the target gets the mean of the rows of its subwords that attend at all
// In the decoder's self-attention, column 0 is <s>, and column j is the subword before row j. Scores cannot be merged,
// so words have none. `source` and `target` give the word of each subword, in order from 0 without gaps. An additional
// row or column of </s> stays unchanged. Throws std::invalid_argument for other sizes.
Matrix merge_subwords(const Matrix& matrix, const std::vector<std::size_t>& source,
                      const std::vector<std::size_t>& target);
AttentionWeights merge_subwords(const AttentionWeights& weights, const std::vector<std::size_t>& source,
                                const std::vector<std::size_t>& target);

// Returns the log-probability of each word. It is the sum of the log-probabilities of the word's subwords.
std::vector<float> merge_log_prob(const std::vector<float>& log_prob, const std::vector<std::size_t>& target);

// Returns the record of the same pair over words. It merges matrices and log-probabilities as above. Links and entropy
// follow from the merged matrix. If the record has gold links, they must count words already.
Record merge_subwords(const Record& record, const Joined& source, const Joined& target);

// Replaces a link between two words by links between each subword of the one and each subword of the other.
Links expand_to_subwords(const Links& links, const std::vector<std::size_t>& source,
                         const std::vector<std::size_t>& target);
Gold expand_to_subwords(const Gold& gold, const std::vector<std::size_t>& source,
                        const std::vector<std::size_t>& target);

// Returns the line with the position of each token in it, if the tokens are those of the line by this rule. Otherwise,
// or if the line is empty, there is no result.
std::optional<Original> placed_in(const std::string& line, const Tokens& words, const TokenizerOptions& rule);

// NoLine is the rule for a side of a record without its line, or without the positions of its tokens.
enum class NoLine { refuse, tokens_are_words };

// Returns the record over the original words. These are the words between white space in the lines from which the
// tokens were taken:
//   a link between two tokens becomes a link between the two words that contain them; the same applies to gold links
//   a source word gets the sum of the weights of its tokens, and a target word gets the mean of its tokens' rows
//   (merge_subwords); </s> stays unchanged
// The matrix is empty if a target word has no token, or if rows belong to the words that the decoder reads. A source
// that has no words (cells, sentences) stays unchanged, and so does a side that has neither tokens nor a line. Throws
// Error in three cases: for a record that has a line but not the positions of its tokens in it, unless the tokens are
// the words of the line; for a token that spans several words; and, with NoLine::refuse, for a record that has no line.
Record over_original_words(Record record, NoLine no_line = NoLine::refuse);

}  // namespace softalign::data
