#include "apps/terminal/output.h"

#include <fcntl.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <thread>
#include <utility>

#include "apps/terminal/terminal.h"
#include "data/io/unicode.h"

namespace softalign::apps {

namespace {

thread_local const OutputCapture* capture = nullptr;

}  // namespace

OutputCapture::OutputCapture(Receiver receiver)
    : receiver_(std::move(receiver)), before_(std::exchange(capture, this)) {}
OutputCapture::~OutputCapture() { capture = before_; }

// Gives the text to the innermost OutputCapture of this thread. Returns false if there is none.
bool captured(Stream stream, const std::string& text) {
  if (capture == nullptr) return false;
  capture->receiver_(stream, text);
  return true;
}

std::string on_screen(std::string text) {
  static const bool on_terminal = is_terminal(STDOUT_FILENO);
  return on_terminal ? data::without_commands(text) : std::move(text);
}

void put(const std::string& text) { put_painted(on_screen(text)); }

void put_painted(const std::string& text) {
  if (!captured(Stream::output, text)) std::cout << text;
}

namespace {

std::string silent_name;  // empty: this process prints its messages

// Returns true if the line may be wrapped. Two spaces make columns, which must stay where they are.
bool is_prose(const std::string& line) { return line.find("  ") == line.npos; }

}  // namespace

void be_silent(const std::string& name) {
  silent_name = name;
  if (const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0) ::dup2(nowhere, STDOUT_FILENO);
}

bool silent() { return !silent_name.empty(); }

void report_error(const std::string& text) {
  if (captured(Stream::error, "error: " + text + "\n")) return;
  // If the first process fails too, mpirun ends this process within two seconds, before this process repeats the
  // message.
  if (silent()) std::this_thread::sleep_for(std::chrono::seconds(5));
  const std::string line = fitted(fmt::format("error: {}{}{}\n", silent_name, silent() ? ": " : "", text), 2);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void draw_aside(const std::string& text) {
  if (!silent() && !captured(Stream::error, text)) std::fwrite(text.data(), 1, text.size(), stderr);
}

void show_painted(const std::string& text) {
  if (captured(Stream::output, text)) return;
  const std::string lines = fitted(text, 1);
  std::fwrite(lines.data(), 1, lines.size(), stdout);
  std::fflush(stdout);
}

std::string fitted(const std::string& text, int file_descriptor) {
  if (!is_terminal(file_descriptor) || text.find_first_of("\r\x1b") != text.npos) return text;
  const std::size_t columns = terminal_columns(file_descriptor);
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    const bool fits = !is_prose(line) || data::display_width(line) <= columns;
    result += fits ? line : fmt::format("{}", fmt::join(wrap(line, columns), "\n"));
    if (end < text.size()) result += '\n';
    begin = end + 1;
  }
  return result;
}

}  // namespace softalign::apps
