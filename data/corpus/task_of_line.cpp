#include "data/corpus/task_of_line.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <string_view>
#include <vector>

#include "data/corpus/corpus.h"
#include "data/io/internal/fields.h"

namespace softalign::data {

namespace {

bool is_number(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

// All words of a column, of which there are some.
template <class Is>
bool all_words(const std::string& column, Is is) {
  const Tokens words = split_words(column);
  return !words.empty() && std::all_of(words.begin(), words.end(), [&](const std::string& word) { return is(word); });
}

bool names_picture(const std::string& column) {
  static const std::set<std::string> endings{".png", ".ppm", ".pgm"};
  std::string ending = std::filesystem::path(column).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return endings.count(ending) > 0;
}

}  // namespace

std::string task_of_line(const std::string& line) {
  std::vector<std::string> columns = split_fields(line, "\t");
  if (columns.size() == 1) return "language-model";
  columns.resize(5);
  if (names_picture(columns[0])) return "captioning";
  if (split_words(columns[2]).empty() || all_words(columns[2], is_link)) return "translation";
  if (columns[0].find(" | ") != std::string::npos || all_words(columns[3], is_number)) return "questions";
  return all_words(columns[3], is_link) ? "entailment" : "";
}

}  // namespace softalign::data
