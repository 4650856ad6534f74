// This file checks, decodes and measures UTF-8 text. It also makes a user's text safe to show in a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace softalign::data {

// Returns the offset of the first byte that is not part of valid UTF-8, if there is one. Overlong forms and surrogates
// are not valid.
std::optional<std::size_t> invalid_utf8(std::string_view text);

// These convert valid UTF-8 to code points and back. Each byte that is not UTF-8 becomes U+FFFD.
std::u32string decode_utf8(std::string_view text);
std::string encode_utf8(std::u32string_view points);
std::string encode_utf8(char32_t point);

// A Span has the code points [begin, end) of the line, counted from 0.
struct Span {
  std::size_t begin = 0, end = 0;
  bool operator==(const Span&) const = default;
};
using Spans = std::vector<Span>;

// Returns whether a character separates the words of a line. These are the space and the tab, as for Moses, fast_align
// and the WMT tools. The two characters of line ends separate words too, but no line contains them. Everything else is
// part of a word, for example U+00A0, U+3000, zero-width characters and other control characters. Gold links and all
// formats of alignments count such words.
constexpr bool parts_words(char32_t point) {
  return point == U' ' || point == U'\t' || point == U'\n' || point == U'\r';
}

// Returns whether a character is Unicode's white space. Tokenisers, chrF and others drop it inside words too. The
// definition is that of Python's str.split(): the space, the controls U+0009-U+000D, U+001C-U+001F and U+0085, and all
// separators of Unicode (U+00A0, U+202F, U+2028, U+3000 ...).
bool is_space(char32_t point);

// Returns whether a character is in Unicode's categories L (letters) or M (marks, which combine with the character
// before them).
bool is_letter(char32_t point);
bool is_mark(char32_t point);

// Returns the number of columns that the text takes in a terminal: 2 for a wide (East Asian) character, 0 for a
// combining mark or a control character, 1 for all others.
std::size_t display_width(std::string_view text);

// --- These functions show a user's text in a message: they limit its length, and it cannot control a terminal ---

inline constexpr std::size_t most_quoted = 40;  // code points of a word or line that a message shows

// Returns whether this character controls a terminal (C0, C1, DEL), reorders the text around it, separates lines or
// paragraphs, or is no character.
bool is_hidden_command(char32_t point);

// Returns the first `most` code points of the text, and an ellipsis if there are more. `most` bounds time and memory.
std::string shortened(std::string_view text, std::size_t most = most_quoted);

// Returns the shortened text between quotation marks. It writes hidden commands as escapes: "tab\there", "\u001b[31m".
// Bytes that are not UTF-8 become U+FFFD.
std::string in_quotes(std::string_view text, std::size_t most = most_quoted);

// Returns the text with control characters written as such escapes, except line ends and tabs. A terminal may show the
// result.
std::string without_commands(std::string_view text);

}  // namespace softalign::data
