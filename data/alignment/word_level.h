// These functions convert attention weights and links from subwords to words, and from a model's tokens to the words of
// the user's text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "data/alignment/record.h"
#include "data/text/subwords.h"
#include "data/text/tokenizer.h"

namespace softalign::data {

// Converts attention weights between subwords to weights between words. Each row still sums to 1:
//   - A source word gets the sum of the columns of its subwords.
//   - A target word gets the mean of the rows of its subwords. Rows that are all 0 do not count.
//
// In the decoder's self-attention, column 0 is <s>, and column j is the subword before row j. Scores cannot be merged,
// so words have no scores. `source` and `target` have the index of the word to which each subword belongs: 0, 0, 1 for
// two subwords of word 0 and one of word 1. An additional row or column for </s> stays unchanged. Throws
// std::invalid_argument for other sizes.
Matrix merge_subwords(const Matrix& matrix, const std::vector<std::size_t>& source,
                      const std::vector<std::size_t>& target);
AttentionWeights merge_subwords(const AttentionWeights& weights, const std::vector<std::size_t>& source,
                                const std::vector<std::size_t>& target);

// Returns the log-probability of each word, which is the sum of the log-probabilities of its subwords.
std::vector<float> merge_log_prob(const std::vector<float>& log_prob, const std::vector<std::size_t>& target);

// Converts a record of subwords to a record of words. The function merges the weights and log-probabilities of the
// subwords of a word. Then it computes links and entropy from the merged weights. Gold links of the record must already
// be links between words.
Record merge_subwords(const Record& record, const Joined& source, const Joined& target);

// Replaces each link between two words by links between all subwords of one word and all subwords of the other.
Links expand_to_subwords(const Links& links, const std::vector<std::size_t>& source,
                         const std::vector<std::size_t>& target);
Gold expand_to_subwords(const Gold& gold, const std::vector<std::size_t>& source,
                        const std::vector<std::size_t>& target);

// Returns the line and the position of each token in it, if the tokeniser `rule` splits the line into the tokens
// `words`. Otherwise, or if the line is empty, it returns nothing.
std::optional<Original> placed_in(const std::string& line, const Tokens& words, const TokenizerOptions& rule);

// NoLine says what over_original_words does if a record lacks the user's source or target line. With `refuse`, it
// throws Error. With tokens_are_words, it takes the tokens of the record as the words of the line.
enum class NoLine { refuse, tokens_are_words };

// Converts a record from tokens to the words of the user's text, which are separated by white space. A record has one
// line of this text for the source and one for the target.
//   - Links: a link between two tokens becomes a link between the words that contain them. Gold links are converted in
//     the same way.
//   - Weights: a source word gets the sum of the weights of its tokens. A target word gets the mean of its tokens' rows
//     (merge_subwords). The row and the column of </s> stay unchanged.
//   - The matrix becomes empty if a target word has no token, or if record.attends is Attends::input.
//   - A source of cells or sentences stays unchanged. A side without tokens and without a line stays unchanged, too.
//
// Throws Error if a token contains several words. Throws Error if the positions of the tokens in the line are unknown
// and the tokens are not the words of the line. With NoLine::refuse, it also throws Error if the record has no line.
Record over_original_words(Record record, NoLine no_line = NoLine::refuse);

}  // namespace softalign::data
