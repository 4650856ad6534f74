#include "data/io/commands.h"

#include <cstddef>
#include <string_view>

namespace softalign::data {

namespace {

// What stands before the plain name of a program: "build/", "softalign-" or "softalign ".
std::string& before_name() {
  static std::string text;
  return text;
}

}  // namespace

void set_called(const std::string& program, const std::string& called) {
  before_name() = called.ends_with(program) ? called.substr(0, called.size() - program.size()) : "";
}

std::string command(const std::string& program) { return before_name() + program; }

std::string with_file(std::string message, const std::string& word) {
  constexpr std::string_view placeholder = " FILE ";
  if (const std::size_t at = message.find(placeholder); at != std::string::npos)
    message.replace(at + 1, placeholder.size() - 2, word);
  return message;
}

}  // namespace softalign::data
