// The viewer's page: template, style and script of this folder around the data, one file that opens from disk.
#pragma once

#include <string>
#include <string_view>

namespace softalign::apps {

// The files of this folder as the build embeds them (embed.cmake); the script is all of script/*.js.
extern const std::string_view viewer_template, viewer_style, viewer_script;

// The HTML of a page with this title and these data, a JSON text. Its content security policy lets it fetch nothing and
// run and style with nothing but the fixed script and style; the data cannot end their element. Images are shown only
// on a page with pictures, and those alone that stand in it as data.
std::string make_page(std::string_view title, std::string_view json, bool pictures = false);

// JSON that may stand in a <script> element: < > & and the line separators U+2028 and U+2029, which JSON has in strings
// only, as \u escapes.
std::string escape_json(std::string_view json);

}  // namespace softalign::apps
