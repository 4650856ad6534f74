#include "apps/terminal/story_bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "apps/terminal/cells.h"
#include "apps/terminal/heatmap_parts.h"
#include "data/io/unicode.h"

namespace softalign::apps {

namespace {

constexpr std::size_t most_of_a_question = 400;  // code points
constexpr std::size_t least_sentence_columns = 20;

// Returns the columns of a hop: its weight, and a bar if there is space for one in every hop.
std::size_t hop_columns(std::size_t hops, std::size_t columns) {
  constexpr std::size_t with_bar = 6 + 1 + bar_columns + 1;
  return 4 + hops * with_bar + least_sentence_columns <= columns ? with_bar : 7;
}

struct Hop {
  std::string name;
  const data::Matrix* matrix;
};

// Each head is a hop; a record without heads has one.
std::vector<Hop> hops_of(const data::Record& record) {
  std::vector<Hop> hops;
  for (const data::Head& head : record.weights.heads) {
    if (head.kind != data::HeadKind::cross) continue;
    const bool several =
        std::any_of(record.weights.heads.begin(), record.weights.heads.end(), [&](const data::Head& other) {
          return other.kind == data::HeadKind::cross && other.layer == head.layer && other.head != head.head;
        });
    hops.push_back(
        {several ? fmt::format("hop {}.{}", head.layer + 1, head.head + 1) : fmt::format("hop {}", head.layer + 1),
         &head.matrix});
  }
  if (hops.empty()) hops.push_back({"weight", &record.weights.matrix});
  return hops;
}

std::string line_of(const data::Record& record, const std::vector<Hop>& hops, std::size_t t, std::size_t s,
                    Colours colours, std::size_t columns) {
  const std::size_t target =
      t - (record.attends == data::Attends::input);  // wraps around at t = 0, where no gold link matches
  const std::size_t hop = hop_columns(hops.size(), columns);
  std::string text = fmt::format("{:>3} ", s + 1);
  for (const Hop& hop_weights : hops) {
    const double weight = (*hop_weights.matrix)[t][s];
    const Mark mark = mark_of(record, s, target);
    text += draw_cell(weight, mark == Mark::wrong ? Mark::none : mark, 6, colours) + " ";
    if (hop > 7) text += dim(bar_of(weight), colours) + " ";
  }
  const std::size_t taken = 4 + hops.size() * hop;
  return text + clip(printable(record.source[s]), columns - std::min(columns, taken)) + "\n";
}

}  // namespace

std::string draw_story_bars(const data::Record& record, const HeatmapStyle& style) {
  const auto [colours, columns, answer] = style;
  const std::vector<Hop> hops = hops_of(record);
  std::string text = heatmap_title(record, "story", colours);
  if (record.question)
    for (const std::string& line : wrap(printable(data::shortened(*record.question, most_of_a_question)), columns))
      text += line + "\n";
  std::string head = "    ";
  for (const Hop& hop_weights : hops) head += pad_right(hop_weights.name, hop_columns(hops.size(), columns));
  for (std::size_t t = 0; t < std::min({record.target.size(), record.weights.matrix.size(), most_shown}); ++t) {
    text += dim(head.substr(0, head.find_last_not_of(' ') + 1), colours) + "\n";
    for (std::size_t s = 0; s < std::min(record.source.size(), most_shown); ++s)
      text += line_of(record, hops, t, s, colours, columns);
    if (answer) text += bold(printable(data::shortened(record.target[t])), colours) + "\n";
  }
  text += shown_note(record.source.size(), "sentences", style);
  return text + footer({record.gold ? "[ ] gold sure  ( ) possible" : "", accuracy_legend(record)}, style);
}

}  // namespace softalign::apps
