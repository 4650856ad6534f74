// This file has the light theme of the pages: its colours and fonts by name. (The pages also have a dark theme, with
// the same names.) A drawing in its own file has no style sheet, so it gets its colours from the functions of this
// file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace softalign::apps {

// This is the light theme of the pages. Drawings outside of a page use it.
extern const std::string_view light_theme;  // light.css, as the build embeds it (embed.cmake)

// Returns the value of a name in light.css: "gold" -> "#c96f00", "sans" -> the fonts. Throws std::invalid_argument for
// an unknown name.
std::string of_light_theme(std::string_view name);

// Each weight has one of the CSS classes w0 to w24, which are shades from light to dark.
constexpr std::size_t weight_steps = 24;
std::string weight_class(double weight);

// Returns the colour "#rrggbb" for a weight from 0 to 1. It is interpolated between the seven colours of the theme.
std::string weight_colour(double weight);

}  // namespace softalign::apps
