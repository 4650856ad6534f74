// Text of a user in a message: of bounded length, and without what could command a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace softalign::data {

inline constexpr size_t most_quoted = 40;  // code points of a word or line that a message shows

// Whether a terminal obeys this character (C0 and C1 controls, DEL), or it reorders the text around it, separates lines
// or paragraphs, or is no character at all.
bool is_hidden_command(char32_t point);

// The first `most` code points of the text, and an ellipsis if there are more. Time and memory are bounded by `most`.
std::string shortened(std::string_view text, size_t most = most_quoted);

// The same between quotation marks, with hidden commands written as escapes: "tab\there", "\u001b[31m". Bytes that are
// not UTF-8 become U+FFFD.
std::string in_quotes(std::string_view text, size_t most = most_quoted);

// The text with hidden commands written as such escapes, but for line ends and tabs: what a terminal may show.
std::string without_commands(std::string_view text);

}  // namespace softalign::data
