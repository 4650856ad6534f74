#include "apps/pages/report/style.h"

#include <fmt/format.h>

#include <cstddef>

#include "apps/pages/matrix.h"

namespace softalign::apps {

namespace {

// Each step's place between two of the seven stops of the viewer's colours (light.css, dark.css).
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

std::string standalone(std::string_view chart) {
  const std::size_t content = chart.find('>') + 1;
  return fmt::format("{}\n<style>{}{}</style>\n{}", chart.substr(0, content), two_themes, chart_style,
                     chart.substr(content));
}

}  // namespace softalign::apps
