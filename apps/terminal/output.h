// Standard output, and what programs report on standard error while they work. Everything that a program prints goes
// through these functions, so that no text of a user commands a terminal: there, control characters, characters that
// reorder text and line separators are shown as escapes (\u001b), which in JSON are the same string. A file or a pipe
// gets every byte as it is. Line ends and tabs stay.
#pragma once

#include <fmt/format.h>
#include <string>
#include <utility>

#include "data/io/unicode.h"

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

// The functions below report progress. They never stop a program: text that cannot be written is lost.

// Makes a process silent. When a program runs in several processes, all but the first print only errors, with this
// name before them.
void be_silent(const std::string& name);
bool silent();

// An error. A silent process waits for longer than a launcher takes to end it: what is wrong everywhere the first one
// says, and ends all.
void report_error(const std::string& text);

// At once, on standard output, text with colours of ours and no words of users.
void show_painted(const std::string& text);

// Lines that are too long for the terminal behind the file descriptor, broken between words; elsewhere, and where the
// text has control sequences, the text as it is.
std::string fitted(const std::string& text, int file_descriptor);

// Text on standard error, as it is: what a program draws there (a bar of progress).
void draw_aside(const std::string& text);

// Aside, on standard error. A text of a user may be part of it: what would command a terminal is shown as an escape.
template <class... Arguments>
void report(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  const std::string text = data::without_commands(fmt::format(format, std::forward<Arguments>(arguments)...));
  draw_aside(fitted(text, 2));
}

// At once, on standard output. What was lost there makes the exit status 1 in the end (CommandLine::run).
template <class... Arguments>
void show(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  show_painted(on_screen(fmt::format(format, std::forward<Arguments>(arguments)...)));
}

}  // namespace softalign::apps
