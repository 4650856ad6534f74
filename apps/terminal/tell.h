// What programs say while they work. Saying it never stops them: where nothing can be written, it is lost.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include "apps/terminal/output.h"
#include "data/io/unicode.h"

namespace softalign::apps {

// Of one program in several processes all but the first are silent: they say nothing on either stream but errors, with
// this name before them.
void be_silent(const std::string& name);
bool silent();

// An error. A silent process waits for longer than a launcher takes to end it: what is wrong everywhere the first one
// says, and ends all.
void tell_error(const std::string& text);

// At once, on standard output, text with colours of ours and no words of users.
void show_painted(const std::string& text);

// Lines that are too long for the terminal behind the file descriptor, broken between words; elsewhere, and where the
// text has control sequences, the text as it is.
std::string fitted(const std::string& text, int file_descriptor);

// Text on standard error, as it is: what a program draws there (a bar of progress).
void draw_aside(const std::string& text);

// Aside, on standard error. A text of a user may be part of it: what would command a terminal is shown as an escape.
template <class... Arguments>
void tell(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  const std::string text = data::without_commands(fmt::format(format, std::forward<Arguments>(arguments)...));
  draw_aside(fitted(text, 2));
}

// At once, on standard output. What was lost there makes the exit status 1 in the end (CommandLine::run).
template <class... Arguments>
void show(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  show_painted(on_screen(fmt::format(format, std::forward<Arguments>(arguments)...)));
}

}  // namespace softalign::apps
