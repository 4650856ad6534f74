#include "apps/pages/html.h"

#include <fmt/format.h>

#include <cmath>

#include "apps/terminal/terminal.h"
#include "data/io/unicode.h"

namespace softalign::apps {

std::string base64(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {  // three bytes make four digits
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) three = three << 8 | (i + k < bytes.size() ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? digits[three >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string coordinate(double value) {
  const double tenths = std::round(10 * value);
  if (std::fmod(tenths, 10) == 0) return fmt::format("{:.0f}", tenths / 10 + 0.0);
  return fmt::format("{:.1f}", tenths / 10);
}

std::string view_box(double width, double height) {
  return fmt::format("0 0 {} {}", coordinate(width), coordinate(height));
}

double text_width(std::string_view words) { return 7.3 * static_cast<double>(data::display_width(words)); }

std::string escape_html(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
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

std::string fill_template(std::string_view text, const std::map<std::string_view, std::string_view>& values) {
  std::string filled;
  std::size_t begin = 0;
  for (std::size_t open; (open = text.find("{{", begin)) != text.npos;) {
    const std::size_t close = text.find("}}", open);
    filled += text.substr(begin, open - begin);
    filled += values.at(text.substr(open + 2, close - open - 2));
    begin = close + 2;
  }
  return filled += text.substr(begin);
}

}  // namespace softalign::apps
