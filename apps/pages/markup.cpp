#include "apps/pages/markup.h"

#include <fmt/format.h>

#include <cmath>

#include "apps/pages/html.h"
#include "apps/terminal/terminal.h"
#include "data/io/utf8.h"

namespace apps {

std::string coordinate(double value) {
  const double tenths = std::round(10 * value);
  if (std::fmod(tenths, 10) == 0) return fmt::format("{:.0f}", tenths / 10 + 0.0);
  return fmt::format("{:.1f}", tenths / 10);
}

std::string element(std::string_view name, std::initializer_list<Attribute> attributes, std::string_view content) {
  std::string markup = fmt::format("<{}", name);
  for (const Attribute& attribute : attributes) {
    if (attribute.value.empty()) continue;
    markup += fmt::format(" {}=\"{}\"", attribute.name, escape_html(attribute.value));
  }
  return markup + fmt::format(">{}</{}>", content, name);
}

std::string text(std::string_view words) { return words.empty() ? "∅" : escape_html(printable(std::string(words))); }

bool is_special(std::string_view token) { return token == "</s>" || token == "<unk>"; }

std::string words_of(const std::vector<std::string>& tokens) {
  std::string markup;
  for (const std::string& token : tokens) {
    if (!markup.empty()) markup += ' ';
    markup += is_special(token) ? element("bdi", {{"class", "special"}}, text(token)) : element("bdi", {}, text(token));
  }
  return markup;
}

double text_width(std::string_view words) { return 7.3 * static_cast<double>(data::display_width(words)); }

}  // namespace apps
