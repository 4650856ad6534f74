#include "data/corpus/segmented.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace softalign::data {
namespace {

constexpr std::string_view word_start = "\u2581", goes_on = "@@";

struct Marks {
  size_t words = 0, marked = 0;
};

Marks count(const std::vector<Pair>& pairs, std::string_view mark, bool begins) {
  Marks marks;
  for (const Pair& pair : pairs) {
    for (const std::string* line : {&pair.source_line, &pair.target_line}) {
      marks.words += 1 + static_cast<size_t>(std::count(line->begin(), line->end(), ' '));
      if (line->find(mark) == std::string::npos) continue;
      for (const std::string& word : split_words(*line))
        marks.marked += word.size() > mark.size() && (begins ? word.starts_with(mark) : word.ends_with(mark));
    }
  }
  return marks;
}

}  // namespace

std::string note_of_segments(const std::vector<Pair>& pairs) {
  for (const bool begins : {true, false}) {
    const Marks marks = count(pairs, begins ? word_start : goes_on, begins);
    if (marks.marked == 0 || 100 * marks.marked < marks.words) continue;
    return fmt::format(
        "note: {} of some {} words {}: the text seems to be cut into subwords already. Each subword\n"
        "is a word here, in links too; give the text as it was before, and --tokenizer sentencepiece cuts it\n",
        marks.marked, marks.words, begins ? "begin with \u2581 (U+2581)" : "end in @@");
  }
  return "";
}

}  // namespace softalign::data
