// UTF-8: checking it, walking over it, and how wide it stands in a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace softalign::data {

// The offset of the first byte that is not part of valid UTF-8 (overlong forms and surrogates are not valid), if any.
std::optional<size_t> invalid_utf8(std::string_view text);

// The code points of valid UTF-8 and back. Bytes that are not UTF-8 become U+FFFD, one for each byte.
std::u32string decode_utf8(std::string_view text);
std::string encode_utf8(std::u32string_view points);
std::string encode_utf8(char32_t point);

// White space that parts the words of a line: the space and the tab, as for Moses, fast_align and the WMT tools. The
// two characters of line ends part words too, but no line holds them. Everything else is part of a word, for example
// U+00A0, U+3000, zero-width characters and other control characters. Gold links and all formats of alignments count
// such words.
constexpr bool parts_words(char32_t point) {
  return point == U' ' || point == U'\t' || point == U'\n' || point == U'\r';
}

// Unicode's white space, which tokenisers, chrF and others drop inside words too. It is as Python's str.split() has it:
// the space, the controls U+0009-U+000D, U+001C-U+001F and U+0085, and all separators of Unicode (U+00A0, U+202F,
// U+2028, U+3000 ...).
bool is_space(char32_t point);

// The columns that the text takes in a terminal: 2 for a wide (East Asian) character, 0 for a combining mark or
// a control character, 1 for the rest.
size_t display_width(std::string_view text);

}  // namespace softalign::data
