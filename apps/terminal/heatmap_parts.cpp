#include "apps/terminal/heatmap_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "data/io/unicode.h"
#include "data/metrics/attention_accuracy.h"

namespace softalign::apps {

namespace {

bool holds(const data::Links& links, std::size_t source, std::size_t target) {
  return std::find(links.begin(), links.end(), data::Link{source, target}) != links.end();
}

}  // namespace

std::string bar_of(double weight) {
  const auto filled = static_cast<std::size_t>(std::lround(std::clamp(weight, 0., 1.) * bar_columns));
  std::string text;
  for (std::size_t i = 0; i < bar_columns; ++i) text += i < filled ? "▇" : " ";
  return text;
}

std::string heatmap_title(const data::Record& record, const std::string& noun, Colours colours) {
  const std::string epoch = record.epoch ? fmt::format("epoch {}, ", *record.epoch) : "";
  return bold(fmt::format("{} {}", noun, record.id + 1), colours) +
         dim(fmt::format("   {}{}", epoch, autograd::name_of(record.mode)), colours) + "\n";
}

std::string footer(const std::vector<std::string>& parts, const HeatmapStyle& style) {
  std::string text, line;
  const auto flush = [&] {
    if (data::display_width(line) <= style.columns) text += line.empty() ? "" : dim(line, style.colours) + "\n";
    else
      for (const std::string& part : wrap(line, style.columns)) text += dim(part, style.colours) + "\n";
  };
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    const std::string longer = line.empty() ? part : line + "  " + part;
    if (!line.empty() && data::display_width(longer) > style.columns) {
      flush();
      line = part;
    } else {
      line = longer;
    }
  }
  flush();
  return text;
}

std::string shown_note(std::size_t places, const std::string& what, const HeatmapStyle& style) {
  if (places <= most_shown) return "";
  return footer(
      {fmt::format("this drawing shows the first {} of {} {}; --format jsonl contains all", most_shown, places, what)},
      style);
}

Mark mark_of(const data::Record& record, std::size_t source, std::size_t target) {
  if (!record.gold) return Mark::none;
  if (holds(record.gold->sure, source, target)) return Mark::sure;
  if (holds(record.gold->possible, source, target)) return Mark::possible;
  return holds(record.links, source, target) ? Mark::wrong : Mark::none;
}

double mean_nats(const data::Record& record) {
  double nats = 0;
  for (const float row : record.entropy) nats += row;
  return nats / std::max<double>(1, static_cast<double>(record.entropy.size()));
}

std::string accuracy_legend(const data::Record& record) {
  data::AttentionAccuracy score;
  if (record.gold) score.add(record.weights.matrix, *record.gold, record.attends == data::Attends::input);
  if (score.words == 0) return fmt::format("entropy {:.2f} nats", mean_nats(record));
  return fmt::format("attention accuracy {:.1f}%  mass in gold {:.1f}%  {:.2f} nats", 100 * score.accuracy(),
                     100 * score.mass_in_gold(), mean_nats(record));
}

}  // namespace softalign::apps
