// The light theme of the pages, for pictures that stand alone and cannot ask a page.
#pragma once

#include <string>
#include <string_view>

namespace softalign::apps {

extern const std::string_view light_theme;  // light.css, as the build embeds it (embed.cmake)

// What light.css says of a name: "gold" -> "#c96f00", "sans" -> the fonts. std::invalid_argument: no such name.
std::string of_light_theme(std::string_view name);

// The colour of a weight from 0 to 1, "#rrggbb": between the theme's seven stops, in equal steps.
std::string weight_colour(double weight);

}  // namespace softalign::apps
