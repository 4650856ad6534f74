#include "apps/pages/html.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <cmath>
#include <stdexcept>

#include "apps/terminal/terminal.h"
#include "data/io/unicode.h"

namespace softalign::apps {

std::array<std::uint8_t, 32> sha256(std::string_view bytes) {
  std::array<std::uint8_t, 32> digest{};
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("OpenSSL cannot compute SHA-256");
  return digest;
}

std::string base64(std::span<const std::uint8_t> bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');  // EVP_EncodeBlock closes it with NUL
  const int size =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes.data(), static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(size));
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

std::string policy_hash(std::string_view content) { return fmt::format("'sha256-{}'", base64(sha256(content))); }

}  // namespace softalign::apps
