#include "apps/pages/report/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/pages/html.h"
#include "apps/pages/report/style.h"
#include "apps/terminal/terminal.h"

namespace apps {

namespace {

constexpr double cell = 16, slant = 50;   // px, degrees
constexpr std::size_t most_columns = 16;  // of a label; longer ones end in an ellipsis

struct Label {
  std::string markup;
  double width;
  bool special;
};

std::vector<Label> labels_of(const data::Tokens& words, std::size_t places) {
  std::vector<Label> labels;
  for (std::size_t i = 0; i < places; ++i) {
    const std::string word = clip(i < words.size() ? words[i] : "</s>", most_columns);
    labels.push_back({text(word), text_width(word), is_special(word)});
  }
  return labels;
}

double widest(const std::vector<Label>& labels) {
  double width = 0;
  for (const Label& label : labels) width = std::max(width, label.width);
  return width;
}

std::string word_class(const Label& label) { return label.special ? "word special" : "word"; }

std::string outlines(const data::Links& links, const std::string& kind, double left, double top) {
  std::string markup;
  for (const data::Link& link : links) {
    markup += element("rect", {{"class", kind},
                               {"x", left + cell * static_cast<double>(link.source) + 0.5},
                               {"y", top + cell * static_cast<double>(link.target) + 0.5},
                               {"width", cell - 2},
                               {"height", cell - 2}});
  }
  return markup;
}

}  // namespace

std::string draw_matrix(const data::Record& r) {
  const std::vector<Label> rows = labels_of(r.target, r.matrix.size());
  const std::vector<Label> columns = labels_of(r.source, r.matrix.front().size());
  const double angle = slant * M_PI / 180, left = widest(rows) + 8, top = widest(columns) * std::sin(angle) + 12;
  double width = left + cell * static_cast<double>(columns.size());
  const double height = top + cell * static_cast<double>(rows.size());
  std::string markup =
      element("rect", {{"class", "w0"}, {"x", left}, {"y", top}, {"width", width - left}, {"height", height - top}});
  for (std::size_t s = 0; s < columns.size(); ++s) {
    const double x = left + cell * (static_cast<double>(s) + 0.5);
    width = std::max(width, x + columns[s].width * std::cos(angle) + 10);
    const std::string place =
        fmt::format("translate({} {}) rotate(-{})", coordinate(x + 3), coordinate(top - 4), slant);
    markup += element("text", {{"class", word_class(columns[s])}, {"transform", place}}, columns[s].markup);
  }
  for (std::size_t t = 0; t < rows.size(); ++t) {
    const double y = top + cell * static_cast<double>(t);
    markup += element("text", {{"class", word_class(rows[t])}, {"x", left - 6}, {"y", y + 12}, {"text-anchor", "end"}},
                      rows[t].markup);
    for (std::size_t s = 0; s < columns.size(); ++s) {
      const double weight = r.matrix[t][s];
      if (weight < 0.005) continue;  // the ground is the shade of 0
      const std::string told = fmt::format("{} ← {} {:.2f}", rows[t].markup, columns[s].markup, weight);
      markup += element("rect",
                        {{"class", weight_class(weight)},
                         {"x", left + cell * static_cast<double>(s)},
                         {"y", y},
                         {"width", cell - 1},
                         {"height", cell - 1}},
                        element("title", {}, told));
    }
  }
  if (r.gold)
    markup += outlines(r.gold->possible, "gold possible", left, top) + outlines(r.gold->sure, "gold", left, top);
  return element("svg",
                 {{"class", "matrix"},
                  {"width", width},
                  {"height", height},
                  {"viewBox", view_box(width, height)},
                  {"role", "img"},
                  {"aria-label", "attention: " + data::join_words(r.source) + " / " + data::join_words(r.target)}},
                 markup) +
         "\n";
}

}  // namespace apps
