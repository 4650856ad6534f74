#include "data/io/commands.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>

namespace softalign::data {

namespace {

// before_name is the text before the plain name of a program: "build/", "softalign-" or "softalign ".
std::string& before_name() {
  static std::string text;
  return text;
}

}  // namespace

void set_called(const std::string& program, const std::string& called) {
  before_name() = called.ends_with(program) ? called.substr(0, called.size() - program.size()) : "";
}

std::string command(const std::string& program) { return before_name() + program; }

std::string shell_word(const std::string& path) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string("/._-+@%,=:").find(static_cast<char>(c)) != std::string::npos;
  };
  if (!path.empty() && std::all_of(path.begin(), path.end(), plain)) return path;
  std::string quoted = "'";
  for (const char c : path) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string with_file(std::string message, const std::string& path) {
  constexpr std::string_view placeholder = " FILE";
  if (path.empty()) return message;
  for (std::size_t at = message.find(placeholder); at != std::string::npos; at = message.find(placeholder, at + 1)) {
    const std::size_t end = at + placeholder.size();
    if (end != message.size() && message[end] != ' ' && message[end] != '\n') continue;
    message.replace(at + 1, placeholder.size() - 1, shell_word(path));
    break;
  }
  return message;
}

}  // namespace softalign::data
