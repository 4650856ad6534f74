#include "apps/pages/report/style.h"

#include <fmt/format.h>

#include <cstddef>
#include <functional>

#include "apps/pages/html.h"
#include "apps/pages/theme.h"

namespace softalign::apps {

namespace {

// Returns one rule per step of the weights. The colour of a step is between two neighbours of the viewer's seven
// colours (light.css, dark.css).
std::string weight_rules() {
  constexpr std::size_t stops = 6, between = weight_steps / stops;
  std::string rules;
  for (std::size_t step = 0; step < weight_steps; ++step) {
    const std::size_t stop = step / between;
    rules += fmt::format(".w{}{{fill:color-mix(in srgb,var(--weight-{}) {}%,var(--weight-{}))}}\n", step, stop,
                         100 - 100 * (step % between) / between, stop + 1);
  }
  return rules + fmt::format(".w{}{{fill:var(--weight-{})}}\n", weight_steps, stops);
}

}  // namespace

std::string page_style() { return fmt::format("{}{}{}{}", two_themes, report_style, chart_style, weight_rules()); }

namespace {

// Returns the value that the rule .sN of chart.css gives to a variable, for example "own" or "dash".
std::string of_row_style(std::size_t row, std::string_view name) {
  const std::size_t rule = chart_style.find(fmt::format(".s{} {{", row));
  const std::string key = fmt::format("--{}: ", name);
  const std::size_t begin = chart_style.find(key, rule) + key.size();
  return std::string(chart_style.substr(begin, chart_style.find(';', begin) - begin));
}

// Returns the rule with each var(--name) replaced by its value.
std::string resolved(std::string_view rule, const std::function<std::string(std::string_view)>& value_of) {
  constexpr std::string_view call = "var(--";
  std::string text;
  std::size_t begin = 0;
  for (std::size_t at = 0; (at = rule.find(call, begin)) != rule.npos;) {
    const std::size_t name = at + call.size(), end = rule.find(')', name);
    text += std::string(rule.substr(begin, at - begin)) + value_of(rule.substr(name, end - name));
    begin = end + 1;
  }
  return text + std::string(rule.substr(begin));
}

// Returns the rule for the marks of one row: ".chart .label { .. }" becomes ".chart .s2 .label { .. }".
std::string row_rule(std::string_view line, std::size_t row) {
  constexpr std::string_view within = ".chart ";
  const std::string_view parent = line.starts_with(within) ? within : "";
  return fmt::format("{}.s{} {}\n", parent, row, resolved(line.substr(parent.size()), [&](std::string_view name) {
                       return of_row_style(row, name);
                     }));
}

// Returns chart.css for the light theme, without variables. A rule with a row's own colour or dash occurs once for each
// row.
std::string resolved_chart_style() {
  std::string rules;
  bool of_screens = false;
  for (std::size_t begin = 0, end = 0; (end = chart_style.find('\n', begin)) != chart_style.npos; begin = end + 1) {
    const std::string_view line = chart_style.substr(begin, end - begin);
    const bool opens = line.starts_with("@media");
    if (opens || line == "}") of_screens = opens;
    else if (of_screens || line.starts_with("/*") || line.starts_with(".s")) continue;
    else if (line.find("var(--own)") == line.npos) rules += resolved(line, of_light_theme) + "\n";
    else
      for (std::size_t row = 0; row < row_styles; ++row) rules += row_rule(line, row);
  }
  return rules;
}

}  // namespace

std::string standalone(std::string_view chart) {
  const std::size_t content = chart.find('>') + 1;
  return fmt::format("{}\n<style>{}</style>\n{}\n{}", chart.substr(0, content), resolved_chart_style(),
                     element("rect", {{"width", "100%"}, {"height", "100%"}, {"fill", of_light_theme("card")}}),
                     chart.substr(content));
}

}  // namespace softalign::apps
