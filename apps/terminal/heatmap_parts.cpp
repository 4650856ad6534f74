#include "apps/terminal/heatmap_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "data/metrics/attention_accuracy.h"

namespace softalign::apps {

namespace {

bool holds(const data::Links& links, std::size_t source, std::size_t target) {
  return std::find(links.begin(), links.end(), data::Link{source, target}) != links.end();
}

}  // namespace

std::string heatmap_title(const data::Record& record, const std::string& noun, Colours colours) {
  const std::string epoch = record.epoch ? fmt::format("epoch {}, ", *record.epoch) : "";
  return bold(fmt::format("{} {}", noun, record.id), colours) +
         dim(fmt::format("   {}{}", epoch, record.mode), colours) + "\n";
}

std::string shown_note(std::size_t places, const std::string& what, Colours colours) {
  if (places <= most_shown) return "";
  return dim(fmt::format("the first {} of {} {} are shown; --format jsonl holds all", most_shown, places, what),
             colours) +
         "\n";
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

std::string pointing_legend(const data::Record& record) {
  data::PointingScore score;
  if (record.gold) score.add(record.matrix, *record.gold, record.attends == "input");
  if (score.words == 0) return fmt::format("entropy {:.2f} nats", mean_nats(record));
  return fmt::format("pointing {:.1f}%  mass in gold {:.1f}%  {:.2f} nats", 100 * score.pointing(),
                     100 * score.mass_in_gold(), mean_nats(record));
}

std::optional<Pointed> pointed(const data::Record& record, const std::vector<float>& row, std::size_t target) {
  Pointed found;
  bool any = false;
  for (std::size_t s = 0; s < row.size(); ++s) {
    const Mark mark = mark_of(record, s, target);
    if (mark != Mark::sure && mark != Mark::possible) continue;
    any = true;
    found.mass += row[s];
    found.hit = found.hit || std::max_element(row.begin(), row.end()) - row.begin() == static_cast<std::ptrdiff_t>(s);
  }
  return any ? std::optional(found) : std::nullopt;
}

}  // namespace softalign::apps
