#include "apps/terminal/story_bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "apps/terminal/bar.h"
#include "apps/terminal/heatmap_parts.h"
#include "data/io/unicode.h"

namespace softalign::apps {

namespace {

constexpr std::size_t most_of_a_question = 400;  // code points
constexpr std::size_t look_columns = 6 + 1 + bar_columns + 1;

struct Look {
  std::string name;
  const data::Matrix* matrix;
};

// Each head is a look; a record without heads has one.
std::vector<Look> looks_of(const data::Record& record) {
  std::vector<Look> looks;
  for (const data::Head& head : record.heads) {
    if (head.kind != "cross") continue;
    const bool several = std::any_of(record.heads.begin(), record.heads.end(), [&](const data::Head& other) {
      return other.kind == "cross" && other.layer == head.layer && other.head != head.head;
    });
    looks.push_back(
        {several ? fmt::format("hop {}.{}", head.layer + 1, head.head + 1) : fmt::format("hop {}", head.layer + 1),
         &head.matrix});
  }
  if (looks.empty()) looks.push_back({"weight", &record.matrix});
  return looks;
}

std::string line_of(const data::Record& record, const std::vector<Look>& looks, std::size_t t, std::size_t s,
                    Colours colours, std::size_t columns) {
  const std::size_t target = t - (record.attends == "input");  // where that is none, gold has nothing for it
  std::string text = fmt::format("{:>3} ", s + 1);
  for (const Look& look : looks) {
    const double weight = (*look.matrix)[t][s];
    const Mark mark = mark_of(record, s, target);
    text += draw_cell(weight, mark == Mark::wrong ? Mark::none : mark, 6, colours) + " " +
            dim(bar_of(weight), colours) + " ";
  }
  const std::size_t taken = 4 + looks.size() * look_columns;
  return text + clip(printable(record.source[s]), std::max<std::size_t>(20, columns - std::min(columns, taken))) + "\n";
}

}  // namespace

std::string draw_story_bars(const data::Record& record, Colours colours, std::size_t columns) {
  const std::vector<Look> looks = looks_of(record);
  std::string text = heatmap_title(record, "story", colours);
  if (record.question) text += printable(data::shortened(*record.question, most_of_a_question)) + "\n";
  std::string head = "    ";
  for (const Look& look : looks) head += pad_right(look.name, look_columns);
  for (std::size_t t = 0; t < std::min({record.target.size(), record.matrix.size(), most_shown}); ++t) {
    text += dim(head.substr(0, head.find_last_not_of(' ') + 1), colours) + "\n";
    for (std::size_t s = 0; s < std::min(record.source.size(), most_shown); ++s)
      text += line_of(record, looks, t, s, colours, columns);
    text += bold(printable(data::shortened(record.target[t])), colours) + "\n";
  }
  text += shown_note(record.source.size(), "sentences", colours);
  return text + dim((record.gold ? "[ ] gold sure  ( ) possible  " : "") + pointing_legend(record), colours) + "\n";
}

}  // namespace softalign::apps
