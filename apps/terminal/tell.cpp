#include "apps/terminal/tell.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "apps/terminal/terminal.h"
#include "apps/terminal/wrap.h"
#include "data/io/utf8.h"

namespace apps {

namespace {

// Two spaces make columns, which are not to be moved.
bool is_prose(const std::string& line) { return line.find("  ") == line.npos; }

}  // namespace

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

}  // namespace apps
