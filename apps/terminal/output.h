// This file prints to standard output, and reports progress on standard error. Everything that a program prints goes
// through these functions, so that text of a user cannot control a terminal. On a terminal, control characters,
// characters that reorder text, and line separators become escapes (\u001b). JSON reads such an escape as the same
// string. A file or a pipe gets every byte unchanged. Line ends and tabs always stay.
#pragma once

#include <fmt/format.h>
#include <string>
#include <utility>

#include "data/io/unicode.h"

namespace softalign::apps {

// Returns the text as standard output may print it.
std::string on_screen(std::string text);

void put(const std::string& text);

// Prints text with our colours. Words of users in the text must have gone through printable() or on_screen().
void put_painted(const std::string& text);

template <class... Arguments>
void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  put(fmt::format(format, std::forward<Arguments>(arguments)...));
}

// The functions below report progress. They never stop a program. If text cannot be written, it is lost.

// Makes a process silent. If a program runs in several processes, all except the first print only errors. Such an error
// begins with this name.
void be_silent(const std::string& name);
bool silent();

// Prints an error. The first process reports an error that all processes have, and ends all of them. Therefore a silent
// process first waits longer than this takes.
void report_error(const std::string& text);

// Prints text with our colours on standard output and flushes it. The text must not contain words of users.
void show_painted(const std::string& text);

// Breaks long lines between words, so that they fit the terminal of the file descriptor. If the file is not a terminal,
// or if the text has control sequences, the text does not change.
std::string fitted(const std::string& text, int file_descriptor);

// Prints text on standard error unchanged, for example a progress bar.
void draw_aside(const std::string& text);

// Prints a note on standard error. The note may contain text of a user, because control characters become escapes.
template <class... Arguments>
void report(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  const std::string text = data::without_commands(fmt::format(format, std::forward<Arguments>(arguments)...));
  draw_aside(fitted(text, 2));
}

// Prints on standard output and flushes it. If output is lost, the exit status of the program becomes 1
// (CommandLine::run).
template <class... Arguments>
void show(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  show_painted(on_screen(fmt::format(format, std::forward<Arguments>(arguments)...)));
}

}  // namespace softalign::apps
