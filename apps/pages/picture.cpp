#include "apps/pages/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "apps/pages/html.h"
#include "data/pictures/picture_file.h"

namespace softalign::apps {

namespace {

constexpr double side = 224, gap = 20, head = 24;  // px: size of a picture, gap between two, height of the title
constexpr double room = 12, tallest = 60;          // px: space above the gates, height of an open gate
constexpr double darkest = 0.7;                    // opacity of the shade on a cell with weight 0

// Draws one bar per channel below the picture. Two lines show the heights of 0 and 1.
std::string bars(const std::vector<double>& gates) {
  const double pitch = side / static_cast<double>(gates.size()), bottom = side + room + tallest;
  std::string content;
  for (const double y : {bottom - tallest, bottom})
    content += element("line", {{"class", "grid"}, {"x1", 0.0}, {"x2", side}, {"y1", y}, {"y2", y}});
  for (std::size_t c = 0; c < gates.size(); ++c) {
    if (!(gates[c] >= 0 && gates[c] <= 1))
      throw std::invalid_argument(fmt::format("the gate of channel {} is {}, not in 0 .. 1", c, gates[c]));
    content += element("rect", {{"class", "gate"},
                                {"x", static_cast<double>(c) * pitch},
                                {"y", bottom - tallest * gates[c]},
                                {"width", 0.8 * pitch},
                                {"height", tallest * gates[c]}});
  }
  return content;
}

std::string draw(const AttendedPicture& look, double left) {
  if (!look.weights.empty() && look.weights.size() != look.rows * look.columns)
    throw std::invalid_argument(
        fmt::format("{} weights for {} x {} cells of a picture", look.weights.size(), look.rows, look.columns));
  const double wide = side / static_cast<double>(look.columns), high = side / static_cast<double>(look.rows);
  const auto cell = [&](std::size_t i, const char* name, std::string opacity, std::string dash) {
    const double x = static_cast<double>(i % look.columns) * wide, y = static_cast<double>(i / look.columns) * high;
    return element("rect", {{"class", name},
                            {"x", x},
                            {"y", y},
                            {"width", wide},
                            {"height", high},
                            {"fill", *name ? "none" : "#000"},
                            {"fill-opacity", std::move(opacity)},
                            {"stroke-width", *name ? "2.2" : ""},
                            {"stroke-dasharray", std::move(dash)}});
  };
  std::string content = element("image", {{"href", data_address(look.picture)},
                                          {"width", side},
                                          {"height", side},
                                          {"preserveAspectRatio", "none"},
                                          {"image-rendering", "pixelated"}});
  const double largest = look.weights.empty() ? 0 : *std::max_element(look.weights.begin(), look.weights.end());
  for (std::size_t i = 0; i < look.weights.size(); ++i)
    content +=
        cell(i, "", fmt::format("{:.2f}", largest > 0 ? darkest * (1 - look.weights[i] / largest) : darkest), "");
  for (const std::size_t i : look.gold) content += cell(i, "gold", "", "");
  if (look.asking) content += cell(*look.asking, "asking", "", "4 3");
  if (!look.gates.empty()) content += bars(look.gates);
  return element("g", {{"transform", fmt::format("translate({} {})", coordinate(left), coordinate(head))}},
                 element("text", {{"class", "title"}, {"y", -8.0}}, text(look.title)) + content);
}

}  // namespace

std::string data_address(const data::Picture& picture) {
  const std::string png = data::png(picture);
  return "data:image/png;base64," + base64({reinterpret_cast<const std::uint8_t*>(png.data()), png.size()});
}

std::string draw(const std::vector<AttendedPicture>& pictures) {
  std::string content;
  double left = 0;
  for (const AttendedPicture& look : pictures) {
    content += draw(look, left) + "\n";
    left += side + gap;
  }
  const bool gated =
      std::any_of(pictures.begin(), pictures.end(), [](const auto& look) { return !look.gates.empty(); });
  const double width = std::max(0.0, left - gap), height = head + side + (gated ? room + tallest : 0) + 2;
  return element("svg",
                 {{"xmlns", "http://www.w3.org/2000/svg"},
                  {"class", "chart pictures"},
                  {"role", "img"},
                  {"aria-label", "pictures, and what is looked at"},
                  {"width", width},
                  {"height", height},
                  {"viewBox", view_box(width, height)}},
                 "\n" + content);
}

}  // namespace softalign::apps
