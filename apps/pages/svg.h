// Lengths of a drawing in SVG, in px.
#pragma once

#include <string>
#include <string_view>

namespace softalign::apps {

// A coordinate with at most one decimal: "12", "12.5".
std::string coordinate(double value);

// The view box of a drawing with its origin at the top left: "0 0 360 224".
std::string view_box(double width, double height);

// How wide the text stands at 12 px, at most, as good as: letters of a proportional font differ.
double text_width(std::string_view words);

}  // namespace softalign::apps
