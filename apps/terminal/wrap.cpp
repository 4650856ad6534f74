#include "apps/terminal/wrap.h"

#include <algorithm>

#include "apps/terminal/terminal.h"
#include "data/corpus/corpus.h"
#include "data/io/unicode.h"

namespace softalign::apps {

std::vector<std::string> wrap(const std::string& text, std::size_t columns) {
  std::vector<std::string> lines(1);
  for (const std::string& word : data::split_words(text)) {
    std::string& line = lines.back();
    if (line.empty()) line = word;
    else if (data::display_width(line) + 1 + data::display_width(word) <= columns) line += " " + word;
    else lines.push_back(word);
  }
  return lines;
}

std::string beside(const std::string& label, const std::string& text, std::size_t indent, std::size_t columns) {
  std::string result;
  std::string margin = label;
  if (data::display_width(label) + 2 > indent) {
    result = label + "\n";
    margin.clear();
  }
  for (const std::string& line : wrap(text, columns - std::min(columns - 1, indent))) {
    result += pad_right(margin, indent) + line + "\n";
    margin.clear();
  }
  return result;
}

}  // namespace softalign::apps
