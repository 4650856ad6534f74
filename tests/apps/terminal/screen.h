// The tests of the terminal's drawings share these: a record to draw, and readers of what was drawn.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "data/alignment/record.h"

using namespace softalign;

namespace screen {

inline data::Record i_love_you() {
  data::Record record;
  record.source = {"i", "love", "you"};
  record.target = {"je", "t'", "aime"};
  record.weights.matrix = {{0.94f, 0.02f, 0.04f, 0}, {0.11f, 0.01f, 0.88f, 0}, {0.03f, 0.45f, 0.52f, 0}, {0, 0, 0, 1}};
  record.gold = data::Gold{{{0, 0}, {1, 2}, {2, 1}}, {}};
  record.logprob = {-0.02f, -0.06f, -0.03f, -0.01f};
  data::complete(record);
  return record;
}

// The text without its escape sequences. Each sequence lasts from ESC to the next m.
inline std::string strip(const std::string& text) {
  std::string plain;
  bool escaped = false;
  for (const char c : text) {
    escaped = escaped || c == '\x1b';
    if (!escaped) plain += c;
    escaped = escaped && c != 'm';
  }
  return plain;
}

inline std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  return all;
}

}  // namespace screen
