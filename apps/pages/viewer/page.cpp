#include "apps/pages/viewer/page.h"

#include <fmt/format.h>

#include "apps/pages/html.h"

namespace softalign::apps {
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

std::string make_page(std::string_view title, std::string_view json, bool pictures) {
  const std::string name = escape_html(title), data = escape_json(json);
  const std::string style_hash = policy_hash(viewer_style), script_hash = policy_hash(viewer_script);
  return fill_template(viewer_template, {{"title", name},
                                         {"style_hash", style_hash},
                                         {"script_hash", script_hash},
                                         {"images", pictures ? "; img-src data:" : ""},
                                         {"style", viewer_style},
                                         {"script", viewer_script},
                                         {"data", data}});
}

}  // namespace softalign::apps
