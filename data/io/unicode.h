// Unicode text: UTF-8 is checked, decoded and measured here, and text of a user is made safe to show in a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace softalign::data {

// The offset of the first byte that is not part of valid UTF-8 (overlong forms and surrogates are not valid), if any.
std::optional<std::size_t> invalid_utf8(std::string_view text);

// The code points of valid UTF-8 and back. Bytes that are not UTF-8 become U+FFFD, one for each byte.
std::u32string decode_utf8(std::string_view text);
std::string encode_utf8(std::u32string_view points);
std::string encode_utf8(char32_t point);

// Code points [begin, end) of the line, counted from 0.
struct Span {
  std::size_t begin = 0, end = 0;
  bool operator==(const Span&) const = default;
};
using Spans = std::vector<Span>;

// White space separates the words of a line: the space and the tab, as for Moses, fast_align and the WMT tools. The two
// characters of line ends separate words too, but no line contains them. Everything else is part of a word, for example
// U+00A0, U+3000, zero-width characters and other control characters. Gold links and all formats of alignments count
// such words.
constexpr bool parts_words(char32_t point) {
  return point == U' ' || point == U'\t' || point == U'\n' || point == U'\r';
}

// Unicode's white space, which tokenisers, chrF and others drop inside words too. It is as Python's str.split() has it:
// the space, the controls U+0009-U+000D, U+001C-U+001F and U+0085, and all separators of Unicode (U+00A0, U+202F,
// U+2028, U+3000 ...).
bool is_space(char32_t point);

// Unicode's categories L (letters) and M (marks, which combine with the character before them).
bool is_letter(char32_t point);
bool is_mark(char32_t point);

// The columns that the text takes in a terminal: 2 for a wide (East Asian) character, 0 for a combining mark or
// a control character, 1 for the rest.
std::size_t display_width(std::string_view text);

// --- text of a user in a message: its length is limited, and it cannot control a terminal ---

inline constexpr std::size_t most_quoted = 40;  // code points of a word or line that a message shows

// Whether this is a control character for a terminal (C0, C1, DEL), reorders the text around it, separates lines or
// paragraphs, or is no character.
bool is_hidden_command(char32_t point);

// The first `most` code points of the text, and an ellipsis if there are more. Time and memory are bounded by `most`.
std::string shortened(std::string_view text, std::size_t most = most_quoted);

// The same between quotation marks, with hidden commands written as escapes: "tab\there", "\u001b[31m". Bytes that are
// not UTF-8 become U+FFFD.
std::string in_quotes(std::string_view text, std::size_t most = most_quoted);

// The text with control characters written as such escapes, except line ends and tabs. A terminal may show it.
std::string without_commands(std::string_view text);

}  // namespace softalign::data
