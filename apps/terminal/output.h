// This file prints to standard output, and reports progress on standard error. Everything that a program prints goes
// through these functions, so that text of a user cannot control a terminal. On a terminal, control characters,
// characters that reorder text, and line separators become escapes (\u001b). JSON reads such an escape as the same
// string. A file or a pipe gets every byte unchanged. Line ends and tabs always stay.
#pragma once

#include <fmt/format.h>
#include <functional>
#include <string>
#include <utility>

#include "data/io/unicode.h"

namespace softalign::apps {

// Returns the text in a form that is safe to print. On a terminal, escapes replace the control characters. Elsewhere
// the text is unchanged.
std::string on_screen(std::string text);

void put(const std::string& text);

// Prints text that contains colours. If the text contains words of a user, the caller must have made them safe with
// printable() or on_screen().
void put_painted(const std::string& text);

template <class... Arguments>
void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  put(fmt::format(format, std::forward<Arguments>(arguments)...));
}

// The functions below report progress and errors. They never stop a program: if text cannot be written, it is lost.

// Makes this process silent: from now on it prints only errors, and each error begins with `name`. If a program runs in
// several processes, all processes except the first are silent.
void be_silent(const std::string& name);
bool silent();

// Prints an error. If all processes of a program have the same error, only the first process should print it. Therefore
// a silent process waits for five seconds before it prints an error, and in this time the first process ends the
// others.
void report_error(const std::string& text);

// While an OutputCapture exists, the text that this thread would print goes to a function instead. A library uses it,
// because standard output and standard error belong to the program that calls the library.
enum class Stream { output, error };
class OutputCapture {
 public:
  using Receiver = std::function<void(Stream, const std::string& text)>;
  explicit OutputCapture(Receiver receiver);
  ~OutputCapture();
  OutputCapture(const OutputCapture&) = delete;
  OutputCapture& operator=(const OutputCapture&) = delete;

 private:
  Receiver receiver_;
  const OutputCapture* before_;
  friend bool captured(Stream stream, const std::string& text);
};

// Prints text that contains colours on standard output and flushes it. The text must not contain words of users.
void show_painted(const std::string& text);

// Breaks long lines between words, so that they fit the width of the terminal behind the file descriptor. If the file
// descriptor is not a terminal, or if the text has control sequences, the text does not change.
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
