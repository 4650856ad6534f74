// Scripts that are written without spaces between words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "data/corpus/corpus.h"

namespace softalign::data {

// Chinese and Japanese characters with their punctuation, Thai, Lao, Burmese, Khmer. (Korean has spaces.)
bool is_unspaced(char32_t point);

// Splits a piece of text into each such character, with its combining marks, and the text between them.
//   我爱BLEU分    我 爱 BLEU 分
std::vector<std::u32string_view> split_characters(std::u32string_view piece);

// The number of characters of a word, if all belong to these scripts; otherwise 0.
std::size_t unspaced_characters(std::string_view word);

// Whether a word is a sentence or a clause rather than a word, which seldom has more than four characters.
bool is_unspaced_text(std::string_view word);

// A note for the user, with its line end, if at least one word in five of a side of the pairs is such a text. `remedy`
// says what to do. Else "".
std::string note_of_unspaced_text(const std::vector<Pair>& pairs, const std::string& remedy);

}  // namespace softalign::data
