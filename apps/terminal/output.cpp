#include "apps/terminal/output.h"

#include <unistd.h>

#include <iostream>

#include "apps/terminal/terminal.h"
#include "data/io/unicode.h"

namespace softalign::apps {

std::string on_screen(std::string text) {
  static const bool on_terminal = is_terminal(STDOUT_FILENO);
  return on_terminal ? data::without_commands(text) : std::move(text);
}

void put(const std::string& text) { put_painted(on_screen(text)); }

void put_painted(const std::string& text) { std::cout << text; }

}  // namespace softalign::apps
