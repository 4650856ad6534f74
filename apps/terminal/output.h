// Standard output, and what programs report on standard error while they work. Everything that a program prints goes
// through these functions, so that no text of a user controls a terminal. There, control characters, characters that
// reorder text, and line separators become escapes (\u001b), which are the same string in JSON. A file or a pipe gets
// every byte unchanged. Line ends and tabs stay.
#pragma once

#include <fmt/format.h>
#include <string>
#include <utility>

#include "data/io/unicode.h"

namespace softalign::apps {

// The text as standard output may have it.
std::string on_screen(std::string text);

void put(const std::string& text);

// Text with our colours. Words of users in it must have gone through printable() or on_screen().
void put_painted(const std::string& text);

template <class... Arguments>
void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  put(fmt::format(format, std::forward<Arguments>(arguments)...));
}

// The functions below report progress. They never stop a program: text that cannot be written is lost.

// Makes a process silent. When a program runs in several processes, all but the first print only errors, with this
// name before them.
void be_silent(const std::string& name);
bool silent();

// Prints an error. A silent process waits longer than a launcher needs to end it, because the first process reports an
// error that all have, and ends all.
void report_error(const std::string& text);

// Prints text with our colours and without words of users on standard output, and flushes it.
void show_painted(const std::string& text);

// Breaks lines that are too long for the terminal of the file descriptor, between words. For other files, or if the
// text has control sequences, the text is unchanged.
std::string fitted(const std::string& text, int file_descriptor);

// Prints text on standard error unchanged, for example a progress bar.
void draw_aside(const std::string& text);

// Prints a note on standard error. It may contain text of a user, and control characters become escapes.
template <class... Arguments>
void report(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  const std::string text = data::without_commands(fmt::format(format, std::forward<Arguments>(arguments)...));
  draw_aside(fitted(text, 2));
}

// Prints on standard output and flushes it. If output is lost, the exit status becomes 1 (CommandLine::run).
template <class... Arguments>
void show(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  show_painted(on_screen(fmt::format(format, std::forward<Arguments>(arguments)...)));
}

}  // namespace softalign::apps
