#include "apps/pages/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "apps/pages/html.h"
#include "apps/pages/theme.h"
#include "apps/terminal/terminal.h"
#include "data/io/error.h"
#include "data/io/unicode.h"

namespace softalign::apps {

namespace {

constexpr double slant = 50;  // degrees
// These limits are the display columns of a label. A longer label ends in an ellipsis. A source or a target may consist
// of sentences.
constexpr std::size_t most_of_a_word = 16, most_of_a_sentence = 48;
constexpr std::size_t most_of_a_name = 200;  // code points of each side, in the name of a figure

struct Label {
  std::string markup;
  double width;
  bool special;
};

std::vector<Label> labels_of(const data::Tokens& words, std::size_t places) {
  std::vector<Label> labels;
  for (std::size_t i = 0; i < places; ++i) {
    const std::string whole = i < words.size() ? words[i] : "</s>";
    const std::string word = clip(whole, whole.find(' ') == std::string::npos ? most_of_a_word : most_of_a_sentence);
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

std::string outlines(const data::Record& record, const data::Links& links, const std::string& kind, double cell,
                     double left, double top) {
  const std::size_t shift = record.attends == data::Attends::input ? 1 : 0;
  std::string markup;
  for (const data::Link& link : links) {
    if (link.target + shift >= record.weights.matrix.size()) continue;
    markup += element("rect", {{"class", kind},
                               {"x", left + cell * static_cast<double>(link.source) + 0.5},
                               {"y", top + cell * static_cast<double>(link.target + shift) + 0.5},
                               {"width", cell - 2},
                               {"height", cell - 2}});
  }
  return markup;
}

}  // namespace

MatrixPicture matrix_picture(const data::Record& record, const MatrixStyle& style) {
  const double cell = style.cell;
  const std::vector<Label> rows = labels_of(record.target, record.weights.matrix.size());
  const std::vector<Label> columns =
      labels_of(record.source, record.weights.matrix.empty() ? 0 : record.weights.matrix.front().size());
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
    markup += element(
        "text", {{"class", word_class(rows[t])}, {"x", left - 6}, {"y", y + cell / 2 + 4}, {"text-anchor", "end"}},
        rows[t].markup);
    for (std::size_t s = 0; s < columns.size(); ++s) {
      const double weight = record.weights.matrix[t][s];
      if (weight < 0.005) continue;  // the background already has the colour of weight 0
      const std::string told = fmt::format("{} ← {} {:.2f}", rows[t].markup, columns[s].markup, weight);
      markup += element("rect",
                        {{"class", weight_class(weight)},
                         {"x", left + cell * static_cast<double>(s)},
                         {"y", y},
                         {"width", cell - 1},
                         {"height", cell - 1}},
                        element("title", {}, told));
      if (!style.numbers || weight < 0.045) continue;
      // On darker cells, white text has more contrast than black text.
      const std::string ink = weight > 0.7 ? "number light" : "number";
      const double x = left + cell * (static_cast<double>(s) + 0.5);
      markup += element("text", {{"class", ink}, {"x", x}, {"y", y + cell / 2 + 3}, {"text-anchor", "middle"}},
                        weight >= 0.995 ? "1" : fmt::format("{:.2f}", weight).substr(1));
    }
  }
  if (record.gold) {
    markup += outlines(record, record.gold->possible, "gold possible", cell, left, top);
    markup += outlines(record, record.gold->sure, "gold", cell, left, top);
  }
  return {width, height, std::move(markup)};
}

std::string draw_matrix(const data::Record& record, double scale, const MatrixStyle& style) {
  const auto [width, height, content] = matrix_picture(record, style);
  const std::string words = data::shortened(data::join_words(record.source), most_of_a_name) + " / " +
                            data::shortened(data::join_words(record.target), most_of_a_name);
  return element("svg",
                 {{"class", "matrix"},
                  {"width", scale * width},
                  {"height", scale * height},
                  {"viewBox", view_box(width, height)},
                  {"role", "img"},
                  {"aria-label", "attention: " + words}},
                 content) +
         "\n";
}

namespace {

constexpr double margin = 12, between = 28;   // px, around all figures and between two
constexpr double above = 22;                  // px, height of a caption
constexpr std::size_t most_words = 1'000;     // per side of a figure, with </s>
constexpr std::size_t most_cells = 100'000;   // of all figures together
constexpr double highest = 1'000'000;         // px, height of the drawing
constexpr std::size_t most_of_a_title = 200;  // code points of each side
constexpr MatrixStyle sheet_style{.cell = 26, .numbers = true};

// Returns the style of the drawing. It has no CSS variables, because not only browsers draw SVG.
std::string style() {
  std::string rules =
      fmt::format("text{{font-family:{};font-size:12px;fill:{}}}\n", of_light_theme("sans"), of_light_theme("ink"));
  rules += fmt::format(".special{{fill:{};font-style:italic}}\n", of_light_theme("quiet"));
  rules += fmt::format(".number{{font-size:10px}}\n.caption{{font-weight:650;fill:{}}}\n", of_light_theme("ink"));
  rules += ".light{fill:#ffffff}\n";
  rules += fmt::format(".gold{{fill:none;stroke:{};stroke-width:2.2}}\n", of_light_theme("gold"));
  rules += ".possible{stroke-dasharray:4 3}\n";
  for (std::size_t step = 0; step <= weight_steps; ++step) {
    const double weight = static_cast<double>(step) / static_cast<double>(weight_steps);
    rules += fmt::format(".{}{{fill:{}}}\n", weight_class(weight), weight_colour(weight));
  }
  return rules;
}

std::string beginning(const data::Tokens& words) {
  return text(data::shortened(data::join_words(words), most_of_a_title));
}

[[noreturn]] void refuse(const data::Record& r, const std::string& why, const std::string& remedy) {
  throw data::Error(data::ErrorKind::bad_data,
                    fmt::format("sentence {}: {}, and some programs cannot open such an SVG file. {}, or choose the "
                                "format jsonl instead of svg",
                                r.id + 1, why, remedy));
}

// `fit` is the number of records that fit into the drawing.
std::string fewer(std::size_t fit) {
  return fit == 0 ? "Draw shorter sentences" : fmt::format("Draw fewer pairs, as many as fit: head -n {} FILE", fit);
}

}  // namespace

void Sheet::add(const data::Record& record, const std::string& caption) {
  const std::size_t rows = record.weights.matrix.size(),
                    columns = record.weights.matrix.empty() ? 0 : record.weights.matrix.front().size();
  if (std::max(rows, columns) > most_words)
    refuse(record,
           fmt::format("its figure has {} x {} cells, which is more than {} per side", rows, columns, most_words),
           "Draw shorter sentences");
  const std::size_t fit = record.id > 0 ? record.id : figures_;  // records of one sentence share an id
  cells_ += rows * columns;
  if (cells_ > most_cells)
    refuse(record,
           fmt::format("with this sentence, the drawing has {} cells, which is more than {}", cells_, most_cells),
           fewer(fit));
  const MatrixPicture picture = matrix_picture(record, sheet_style);
  const double top = (figures_ == 0 ? margin : height_ + between) + (caption.empty() ? 0 : above);
  const std::string title = beginning(record.source) + " → " + beginning(record.target);
  const std::string head =
      caption.empty() ? "" : element("text", {{"class", "caption"}, {"y", 8 - above}}, text(caption));
  content_ += element("g",
                      {{"id", fmt::format("figure-{}", ++figures_)},
                       {"transform", fmt::format("translate({} {})", coordinate(margin), coordinate(top))}},
                      element("title", {}, title) + head + picture.content) +
              "\n";
  width_ = std::max({width_, picture.width + 2 * margin, 1.1 * text_width(caption) + 2 * margin});
  height_ = top + picture.height;
  if (height_ + margin > highest)
    refuse(record, fmt::format("with this sentence, the drawing is more than {:.0f} px high", highest), fewer(fit));
}

std::string Sheet::svg() const {
  const double width = std::max(width_, 2 * margin), height = height_ + margin;
  const std::string ground = element("rect", {{"width", width}, {"height", height}, {"fill", of_light_theme("card")}});
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
         element("svg",
                 {{"xmlns", "http://www.w3.org/2000/svg"},
                  {"width", width},
                  {"height", height},
                  {"viewBox", view_box(width, height)}},
                 "\n" + element("style", {}, style()) + "\n" + ground + "\n" + content_) +
         "\n";
}

}  // namespace softalign::apps
