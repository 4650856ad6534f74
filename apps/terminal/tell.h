// What programs say while they work. Saying it never stops them: where nothing can be written, it is lost.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace apps {

// Of one program in several processes all but the first are silent: they say nothing on either stream but errors, with
// this name before them.
void be_silent(const std::string& name);
bool silent();

// An error. A silent process waits for longer than a launcher takes to end it: what is wrong everywhere the first one
// says, and ends all.
void tell_error(const std::string& text);

// Lines that are too long for the terminal behind the file descriptor, broken between words; elsewhere, and where the
// text has control sequences, the text as it is.
std::string fitted(const std::string& text, int file_descriptor);

// Aside, on standard error.
template <class... Arguments>
void tell(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  if (silent()) return;
  const std::string text = fitted(fmt::format(format, std::forward<Arguments>(arguments)...), 2);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

// At once, on standard output. What was lost there makes the exit status 1 in the end (CommandLine::run).
template <class... Arguments>
void show(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  const std::string text = fitted(fmt::format(format, std::forward<Arguments>(arguments)...), 1);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace apps
