// Links and weights counted in the words of the user's own lines.
#pragma once

#include <optional>
#include <string>

#include "data/alignment/record.h"
#include "data/text/tokenizer.h"

namespace softalign::data {

// The line with the place of each word in it, if these are its tokens by this rule; none if they are not, or if the
// line is empty.
std::optional<Original> placed_in(const std::string& line, const Tokens& words, const TokenizerOptions& rule);

// The rule for a side of a record that has neither its line nor the places of its tokens there.
enum class NoLine { refuse, tokens_are_words };

// The record over the original words, those between white space in the lines that its tokens were taken from:
//   a link between two tokens becomes one between the two words that they are part of, and so does gold
//   a source word gets the weights of its tokens added, a target word the mean of its tokens' rows
//   (data/alignment/merge_pieces.h); </s> stays as it is
// The matrix is empty if a target word has no token, or if rows belong to the words that are read. A source that is no
// words (cells, sentences) stays as it is, and so does a side without tokens that has no line. std::runtime_error for a
// record that has a line but does not say where its tokens stand in it, unless they are the words of the line; of which
// a token does not stand in one word; or, if asked for, that has no line.
Record over_original_words(Record record, NoLine no_line = NoLine::refuse);

}  // namespace softalign::data
