// The style of the report and of its figures, embedded by the build (apps/pages/embed.cmake).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace softalign::apps {

// The colours of both themes as the system chooses between them; template and style of the page; style of a chart.
extern const std::string_view two_themes, report_template, report_style, chart_style;

// Colours and dashes that chart.css tells rows apart by: .s0 to .s6.
constexpr std::size_t row_styles = 7;

// All of the page's style.
std::string page_style();

// A chart as a file of its own, for paper: with its style in it, whose colours are those of the light theme. What draws
// SVG is not always a browser and may know no variables of CSS.
std::string standalone(std::string_view chart);

}  // namespace softalign::apps
