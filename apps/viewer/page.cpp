#include "apps/viewer/page.h"

#include <fmt/format.h>

#include <map>
#include <stdexcept>

#include "apps/viewer/sha256.h"

namespace apps {
namespace {

// What a policy calls the content of an inline element (CSP level 3, section 6.7.2).
std::string source_hash(std::string_view content) { return fmt::format("'sha256-{}'", base64(sha256(content))); }

std::string escape_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

// Each {{name}} of the template by its value. What is put in is not looked at again, so that data may hold anything.
std::string fill(std::string_view text, const std::map<std::string_view, std::string_view>& values) {
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

}  // namespace

std::string escape_json(std::string_view json) {
  std::string escaped;
  escaped.reserve(json.size() + json.size() / 16);
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string_view three = json.substr(i, 3);
    if (json[i] == '<' || json[i] == '>' || json[i] == '&') {
      escaped += fmt::format("\\u{:04x}", static_cast<unsigned>(json[i]));
    } else if (three == "\u2028" || three == "\u2029") {
      escaped += three == "\u2028" ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      escaped += json[i];
    }
  }
  return escaped;
}

std::string make_page(std::string_view title, std::string_view json) {
  const std::string name = escape_text(title), data = escape_json(json);
  const std::string style_hash = source_hash(viewer_style), script_hash = source_hash(viewer_script);
  return fill(viewer_template, {{"title", name},
                                {"style_hash", style_hash},
                                {"script_hash", script_hash},
                                {"style", viewer_style},
                                {"script", viewer_script},
                                {"data", data}});
}

}  // namespace apps
