// These functions handle scripts that are written without spaces between words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "data/corpus/corpus.h"

namespace softalign::data {

// Returns true for Chinese, Japanese, Thai, Lao, Burmese and Khmer characters, and for Chinese and Japanese
// punctuation. Korean is not among them, because it has spaces.
bool is_unspaced(char32_t point);

// Splits a text into parts. Each character of a script without spaces becomes one part, with its combining marks. The
// text between such characters stays in one part, for example "BLEU" here:
//   我爱BLEU分    我 爱 BLEU 分
std::vector<std::u32string_view> split_characters(std::u32string_view piece);

// Returns the number of characters of a word, if all of them belong to scripts without spaces. Otherwise it returns 0.
std::size_t unspaced_characters(std::string_view word);

// Returns true if a "word" in a script without spaces is probably a complete sentence. Words of such scripts seldom
// have more than four characters.
bool is_unspaced_text(std::string_view word);

// Counts the "words" of each side that are probably complete sentences in a script without spaces. If they are at least
// one fifth of the words of a side, returns a note for the user, with its line end. Otherwise returns "". In the note,
// `remedy` says what to do.
std::string note_of_unspaced_text(const std::vector<Pair>& pairs, const std::string& remedy);

}  // namespace softalign::data
