// Scripts that are written without spaces between words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace softalign::data {

// Chinese and Japanese characters with their punctuation, Thai, Lao, Burmese, Khmer. (Korean has spaces.)
bool is_unspaced(char32_t point);

// Splits a piece of text into each such character, with its combining marks, and the text between them.
//   我爱BLEU分    我 爱 BLEU 分
std::vector<std::u32string_view> split_characters(std::u32string_view piece);

// The number of characters of a word, if all belong to these scripts; otherwise 0.
std::size_t unspaced_characters(std::string_view word);

}  // namespace softalign::data
