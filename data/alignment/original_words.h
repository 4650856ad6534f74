// Links counted in the words of the user's own lines.
#pragma once

#include <optional>
#include <string>

#include "data/alignment/record.h"
#include "data/text/tokenizer.h"

namespace data {

// The line with the place of each word in it, if these are its tokens by this rule; none if they are not, or if the
// line is empty.
std::optional<Original> placed_in(const std::string& line, const Tokens& words, const TokenizerOptions& rule);

// The record over the original words, those between white space in the lines that the words were taken from: a link
// between two words becomes one between the two original words that they are part of, and so does gold. Attention is
// not carried over. std::runtime_error for a record that does not say where its words stand,
// or whose source is no words.
Record over_original_words(const Record& record);

}  // namespace data
