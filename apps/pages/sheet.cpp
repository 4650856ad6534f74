#include "apps/pages/sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "apps/pages/html.h"
#include "apps/pages/matrix.h"
#include "apps/pages/theme.h"
#include "data/io/unicode.h"

namespace softalign::apps {

namespace {

constexpr double margin = 12, between = 28;   // px, around all figures and between two
constexpr std::size_t most_words = 1'000;     // of a side of a figure, </s> among them
constexpr std::size_t most_cells = 100'000;   // of all figures
constexpr double highest = 1'000'000;         // px, of the drawing
constexpr std::size_t most_of_a_title = 200;  // code points of each side
constexpr MatrixLook look{.cell = 26, .numbers = true};

// Plain rules without variables: what draws SVG is not always a browser.
std::string style() {
  std::string rules =
      fmt::format("text{{font-family:{};font-size:12px;fill:{}}}\n", of_light_theme("sans"), of_light_theme("ink"));
  rules += fmt::format(".special{{fill:{};font-style:italic}}\n", of_light_theme("quiet"));
  rules += ".number{font-size:10px}\n.light{fill:#ffffff}\n";
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

void refuse(const data::Record& r, const std::string& why) {
  throw std::runtime_error(fmt::format(
      "sentence {}: {}, which programs that show SVG may not open; choose --format jsonl, or fewer or shorter pairs",
      r.id + 1, why));
}

}  // namespace

void Sheet::add(const data::Record& r) {
  const std::size_t rows = r.matrix.size(), columns = r.matrix.empty() ? 0 : r.matrix.front().size();
  if (std::max(rows, columns) > most_words)
    refuse(r, fmt::format("its figure has {} x {} cells, more than {} a side", rows, columns, most_words));
  cells_ += rows * columns;
  if (cells_ > most_cells)
    refuse(r, fmt::format("with it the drawing has {} cells, of {} at most", cells_, most_cells));
  const MatrixPicture picture = matrix_picture(r, look);
  const double top = figures_ == 0 ? margin : height_ + between;
  const std::string title = beginning(r.source) + " → " + beginning(r.target);
  content_ += element("g",
                      {{"id", fmt::format("figure-{}", ++figures_)},
                       {"transform", fmt::format("translate({} {})", coordinate(margin), coordinate(top))}},
                      element("title", {}, title) + picture.content) +
              "\n";
  width_ = std::max(width_, picture.width + 2 * margin);
  height_ = top + picture.height;
  if (height_ + margin > highest) refuse(r, fmt::format("with it the drawing is more than {:.0f} px high", highest));
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
