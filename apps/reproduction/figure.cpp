// BLEU against sentence length as SVG.
#include <fmt/format.h>

#include <algorithm>

#include "apps/reproduction/report.h"

namespace apps {

namespace {

// Plot area in the picture's own units.
constexpr double left = 50, top = 20, width = 460, height = 280, legend = 250;
constexpr const char* colours[] = {"#b5502b", "#d98a5f", "#e8bfa3", "#1d4e89", "#4f86c6", "#9dbfe3"};

double y_of(double bleu) { return top + height * (1 - bleu / 100); }

std::string grid(const std::vector<std::string>& bins, double step) {
  std::string svg = fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">BLEU</text>\n", left - 8, top - 8);
  for (int bleu = 0; bleu <= 100; bleu += 20) {
    svg += fmt::format("<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" class=\"grid\"/>\n", left, left + width,
                       y_of(bleu), y_of(bleu));
    svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", left - 8, y_of(bleu) + 4, bleu);
  }
  for (std::size_t i = 0; i < bins.size(); ++i)
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                       left + step * (static_cast<double>(i) + 0.5), top + height + 18, bins[i]);
  return svg + fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">words in the source sentence</text>\n",
                           left + width / 2, top + height + 38);
}

}  // namespace

std::string length_figure(const Study& study, const Outcomes& outcomes) {
  const std::vector<std::string> bins = lengths_of(outcomes);
  const double step = width / static_cast<double>(std::max<std::size_t>(bins.size(), 1));

  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<title>BLEU against source length</title>\n"
      "<style>text{{fill:#333}}.grid{{stroke:#ddd}}path{{fill:none;stroke-width:2}}"
      "@media(prefers-color-scheme:dark){{text{{fill:#ddd}}.grid{{stroke:#444}}}}</style>\n{}",
      left + width + legend, top + height + 50, grid(bins, step));
  for (std::size_t r = 0; r < study.rows.size(); ++r) {
    const char* colour = colours[r % std::size(colours)];
    std::string line, upper, lower;
    for (std::size_t i = 0; i < bins.size(); ++i) {
      double sum = 0, low = 100, high = 0;
      const std::vector<Outcome>& seeds = outcomes.at(study.rows[r].experiment);
      for (const Outcome& outcome : seeds) {
        const double bleu = outcome.by_length.at(bins[i]);
        sum += bleu;
        low = std::min(low, bleu);
        high = std::max(high, bleu);
      }
      const double x = left + step * (static_cast<double>(i) + 0.5);
      line += fmt::format("{}{:.1f} {:.1f}", i ? "L" : "M", x, y_of(sum / static_cast<double>(seeds.size())));
      upper += fmt::format("{}{:.1f} {:.1f}", i ? "L" : "M", x, y_of(high));
      lower = fmt::format("L{:.1f} {:.1f}", x, y_of(low)) + lower;
    }
    const double y = top + 20.0 * static_cast<double>(r) + 8;
    svg += fmt::format("<path d=\"{}{}Z\" style=\"fill:{};stroke:none;opacity:.2\"/>\n", upper, lower, colour);
    svg += fmt::format("<path d=\"{}\" stroke=\"{}\"/>\n", line, colour);
    svg +=
        fmt::format("<path d=\"M{0} {2}L{1} {2}\" stroke=\"{3}\"/>\n", left + width + 20, left + width + 44, y, colour);
    svg += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", left + width + 52, y + 4, study.rows[r].label);
  }
  return svg + "</svg>\n";
}

}  // namespace apps
