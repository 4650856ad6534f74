#include "apps/support/alignment_format.h"

#include <fmt/format.h>

#include <stdexcept>

namespace apps {

const std::vector<std::string>& alignment_formats() {
  static const std::vector<std::string> formats{"jsonl", "pharaoh", "hard", "soft", "plot"};
  return formats;
}

std::string hard_links(const data::Record& record) { return data::format_links(record.links); }

std::string soft_weights(const data::Record& record) {
  std::string text;
  for (std::size_t t = 0; t < record.matrix.size(); ++t) {
    if (t > 0) text += ' ';
    for (std::size_t s = 0; s < record.matrix[t].size(); ++s)
      text += fmt::format("{}{:.6g}", s ? "," : "", record.matrix[t][s]);
  }
  return text;
}

std::string format_record(const data::Record& record, const std::string& format, const HeatmapStyle& style) {
  if (format == "jsonl") return to_json(record) + "\n";
  if (format == "pharaoh") return hard_links(record) + "\n";
  if (format == "hard") return data::join_words(record.target) + " ||| " + hard_links(record) + "\n";
  if (format == "soft") return data::join_words(record.target) + " ||| " + soft_weights(record) + "\n";
  if (format == "plot") return draw_heatmap(record, style) + "\n";
  throw std::invalid_argument("unknown alignment format " + format);
}

}  // namespace apps
