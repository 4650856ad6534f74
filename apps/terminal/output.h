// Standard output. Everything that a program prints goes through these functions, so that no text of a user commands a
// terminal: there, control characters, characters that reorder text and line separators are shown as escapes (\u001b),
// which in JSON are the same string. A file or a pipe gets every byte as it is. Line ends and tabs stay.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

namespace softalign::apps {

// The text as standard output may have it.
std::string on_screen(std::string text);

void put(const std::string& text);

// Text with colours of ours, in which the words of users went through printable() or on_screen().
void put_painted(const std::string& text);

template <class... Arguments>
void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  put(fmt::format(format, std::forward<Arguments>(arguments)...));
}

}  // namespace softalign::apps
