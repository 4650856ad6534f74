// This file declares the style of the report and of its figures. The build embeds it (apps/pages/embed.cmake).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace softalign::apps {

// two_themes is CSS with the colours of the light and the dark theme. The settings of the reader's browser choose the
// theme. report_template is the HTML of a report without its content. report_style and chart_style are CSS.
extern const std::string_view two_themes, report_template, report_style, chart_style;

// row_styles is the number of styles of chart lines. The classes .s0 to .s6 of chart.css define these styles. Each has
// a colour and a dash pattern.
constexpr std::size_t row_styles = 7;

// Returns the complete style of the page.
std::string page_style();

// Returns a chart as a separate file, for papers. The file contains its style, with the colours of the light theme as
// values, because some SVG programs do not support CSS variables.
std::string standalone(std::string_view chart);

}  // namespace softalign::apps
