#include "apps/pages/html.h"

#include <fmt/format.h>

#include "apps/pages/sha256.h"
#include "apps/terminal/terminal.h"

namespace softalign::apps {

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
