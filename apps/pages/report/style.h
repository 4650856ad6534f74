// The style of the report and of its figures, embedded by the build (apps/pages/embed.cmake).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace softalign::apps {

// The colours of both themes, chosen by the system; the template and style of the page; the style of a chart.
extern const std::string_view two_themes, report_template, report_style, chart_style;

// The number of colours and dashes for rows in chart.css: .s0 to .s6.
constexpr std::size_t row_styles = 7;

// All of the page's style.
std::string page_style();

// A chart as a separate file, for papers. It contains its style, with the colours of the light theme, because some SVG
// programs do not support CSS variables.
std::string standalone(std::string_view chart);

}  // namespace softalign::apps
