#include "apps/pages/sheet.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/pages/html.h"
#include "apps/pages/matrix.h"
#include "apps/pages/theme.h"

namespace apps {

namespace {

constexpr double margin = 12, between = 28;  // px, around all figures and between two
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

}  // namespace

void Sheet::add(const data::Record& r) {
  const MatrixPicture picture = matrix_picture(r, look);
  const double top = figures_ == 0 ? margin : height_ + between;
  const std::string title = text(data::join_words(r.source)) + " → " + text(data::join_words(r.target));
  content_ += element("g",
                      {{"id", fmt::format("figure-{}", ++figures_)},
                       {"transform", fmt::format("translate({} {})", coordinate(margin), coordinate(top))}},
                      element("title", {}, title) + picture.content) +
              "\n";
  width_ = std::max(width_, picture.width + 2 * margin);
  height_ = top + picture.height;
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

}  // namespace apps
