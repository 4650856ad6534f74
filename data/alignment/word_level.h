// Attention and links brought from the subwords of a model to the words of the text, and from tokens to the user's own
// words.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "data/alignment/record.h"
#include "data/text/subwords.h"
#include "data/text/tokenizer.h"

namespace softalign::data {

// Attention over pieces -> attention over words:
//   a word of the source is looked at as much as its pieces together   sum over the columns of its pieces
//   a word of the target looks where its pieces look on average        mean over the rows of its pieces that look
// so that rows still sum to 1. In the decoder's self-attention column 0 is <s> and column j the piece before row j.
// Scores do not merge: words have none. `source` and `target` give the word of each piece,
// words in their order from 0, none left out; a row or column more, of </s>, stays as it is. std::invalid_argument for
// other sizes.
Matrix merge_pieces(const Matrix& matrix, const std::vector<std::size_t>& source,
                    const std::vector<std::size_t>& target);
Weights merge_pieces(const Weights& weights, const std::vector<std::size_t>& source,
                     const std::vector<std::size_t>& target);

// The log-probability of a word is the sum of those of its pieces.
std::vector<float> merge_log_prob(const std::vector<float>& log_prob, const std::vector<std::size_t>& target);

// The record of the same pair over words: matrices and log-probabilities merged as above. Links and entropy follow from
// the merged matrix; gold, if the record has any, must count words already.
Record merge_pieces(const Record& record, const Joined& source, const Joined& target);

// Links between words -> links between each piece of the one and each piece of the other.
Links expand_to_pieces(const Links& links, const std::vector<std::size_t>& source,
                       const std::vector<std::size_t>& target);
Gold expand_to_pieces(const Gold& gold, const std::vector<std::size_t>& source, const std::vector<std::size_t>& target);

// The line with the place of each word in it, if these are its tokens by this rule; none if they are not, or if the
// line is empty.
std::optional<Original> placed_in(const std::string& line, const Tokens& words, const TokenizerOptions& rule);

// The rule for a side of a record that has neither its line nor the places of its tokens there.
enum class NoLine { refuse, tokens_are_words };

// The record over the original words, those between white space in the lines that its tokens were taken from:
//   a link between two tokens becomes one between the two words that they are part of, and so does gold
//   a source word gets the weights of its tokens added, a target word the mean of its tokens' rows
//   (merge_pieces); </s> stays as it is
// The matrix is empty if a target word has no token, or if rows belong to the words that are read. A source that is no
// words (cells, sentences) stays as it is, and so does a side without tokens that has no line. std::runtime_error for a
// record that has a line but does not say where its tokens stand in it, unless they are the words of the line; of which
// a token does not stand in one word; or, if asked for, that has no line.
Record over_original_words(Record record, NoLine no_line = NoLine::refuse);

}  // namespace softalign::data
