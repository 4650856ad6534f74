// These functions check, decode and measure UTF-8 text. They also make a user's text safe to show in a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace softalign::data {

// Returns the position of the first byte that is not part of valid UTF-8, or nothing if all bytes are valid. Overlong
// forms and surrogates are not valid.
std::optional<std::size_t> invalid_utf8(std::string_view text);

// These functions convert UTF-8 to code points and back. Each byte that is not valid UTF-8 becomes U+FFFD.
std::u32string decode_utf8(std::string_view text);
std::string encode_utf8(std::u32string_view points);
std::string encode_utf8(char32_t point);

// A Span has the code points from `begin` to `end` - 1 of a line, counted from 0.
struct Span {
  std::size_t begin = 0, end = 0;
  bool operator==(const Span&) const = default;
};
using Spans = std::vector<Span>;

// Returns true if a character separates the words of a line. Such characters are the space and the tab, as in Moses,
// fast_align and the WMT tools, and the characters of line ends. All other characters are part of a word, for example
// U+00A0, U+3000 and zero-width characters. Gold links and all alignment formats count such words.
constexpr bool parts_words(char32_t point) {
  return point == U' ' || point == U'\t' || point == U'\n' || point == U'\r';
}

// Returns true if a character is white space in Unicode. The words of a line (see parts_words) may contain such
// characters, for example U+00A0. Tokenisers and chrF remove them. The definition is that of Python's str.split(): the
// space, the controls U+0009-U+000D, U+001C-U+001F and U+0085, and all separators of Unicode (U+00A0, U+202F, U+2028,
// U+3000 ...).
bool is_space(char32_t point);

// is_letter returns true for characters in Unicode's category L (letters). is_mark returns true for category M (marks,
// which combine with the character before them).
bool is_letter(char32_t point);
bool is_mark(char32_t point);

// Returns the number of columns that a text takes in a terminal. A wide (East Asian) character takes 2, a combining
// mark or a control character takes 0, and all others take 1.
std::size_t display_width(std::string_view text);

// --- These functions make a user's text safe to show in a message: short, and without commands for a terminal ---

inline constexpr std::size_t most_quoted = 40;  // code points of a word or line that a message shows

// Returns true for characters that control a terminal (C0, C1, DEL), change the direction of the text, or separate
// lines or paragraphs. Also returns true for code points that are not characters.
bool is_hidden_command(char32_t point);

// Returns the first `most` code points of the text, and an ellipsis if there are more. The limit `most` bounds time and
// memory.
std::string shortened(std::string_view text, std::size_t most = most_quoted);

// Returns the shortened text between quotation marks: "I've", or “say "I've"” if the text has such marks. Characters
// that could control a terminal become escapes, such as "tab\there" and "\u001b[31m". Bytes that are not UTF-8 become
// U+FFFD.
std::string in_quotes(std::string_view text, std::size_t most = most_quoted);

// Returns a copy of the text, in which escapes such as "\u001b" replace the characters that could control a terminal.
// Line ends and tabs stay unchanged.
std::string without_commands(std::string_view text);

}  // namespace softalign::data
