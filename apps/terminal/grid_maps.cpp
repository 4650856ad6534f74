#include "apps/terminal/grid_maps.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "apps/terminal/cells.h"
#include "apps/terminal/heatmap_parts.h"
#include "data/corpus/vocabulary.h"
#include "data/io/unicode.h"

namespace softalign::apps {

namespace {

// Pointed says whether the largest weight in the row of a target word is on a gold cell. `mass` is the weight of the
// row on gold cells. Without gold cells, pointed() returns nothing.
struct Pointed {
  bool hit = false;
  double mass = 0;
};
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

// Map is a map as lines of text. `widths` has the display width of each line, without colour codes.
struct Map {
  std::vector<std::string> lines;
  std::vector<std::size_t> widths;
};

void add(Map& map, const std::string& line, std::size_t width) {
  map.lines.push_back(line);
  map.widths.push_back(width);
}

Pixel pixel_of(const data::Record& record, const std::vector<float>& row, std::size_t s, std::size_t target) {
  const Mark mark = mark_of(record, s, target);
  return {row[s], mark == Mark::sure || mark == Mark::possible};
}

std::string coloured_line(const data::Record& record, std::size_t t, std::size_t target, std::size_t y,
                          Colours colours) {
  const auto& [H, W] = *record.source_grid;
  std::string text;
  for (std::size_t x = 0; x < W; ++x) {
    const Pixel upper = pixel_of(record, record.weights.matrix[t], y * W + x, target);
    if (y + 1 == H) {
      text += draw_half_blocks(upper, nullptr, colours);
      continue;
    }
    const Pixel lower = pixel_of(record, record.weights.matrix[t], (y + 1) * W + x, target);
    text += draw_half_blocks(upper, &lower, colours);
  }
  return text;
}

std::string plain_line(const data::Record& record, std::size_t t, std::size_t target, std::size_t y) {
  const std::size_t W = record.source_grid->W;
  std::string text;
  for (std::size_t x = 0; x < W; ++x) {
    const Mark mark = mark_of(record, y * W + x, target);
    text += draw_cell(record.weights.matrix[t][y * W + x], mark == Mark::wrong ? Mark::none : mark, 2, Colours::none);
  }
  return text;
}

std::string found_line(const data::Record& record, std::size_t t, std::size_t target) {
  const std::vector<float>& row = record.weights.matrix[t];
  const auto best = static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
  std::string text = fmt::format("{} {:.2f}", record.source[best], row[best]);
  if (const auto found = pointed(record, row, target))
    text += fmt::format(" {} {:.2f}", found->hit ? "●" : "x", found->mass);
  return text;
}

Map map_of(const data::Record& record, std::size_t t, Colours colours) {
  const auto& [H, W] = *record.source_grid;
  const std::size_t target =
      t - (record.attends == data::Attends::input);  // wraps around at t = 0, where no gold link matches
  Map map;
  const std::string word =
      t < record.target.size() ? printable(data::shortened(record.target[t])) : std::string(data::end_token);
  add(map, word, data::display_width(word));
  for (std::size_t y = 0; y < H; y += colours == Colours::none ? 1 : 2) {
    if (colours == Colours::none) add(map, plain_line(record, t, target, y), 2 * W);
    else add(map, coloured_line(record, t, target, y, colours), W);
  }
  const std::string found = found_line(record, t, target);
  add(map, found, data::display_width(found));
  return map;
}

// Returns the maps side by side, as many per line as fit. All maps get the same width.
std::string side_by_side(const std::vector<Map>& maps, std::size_t columns) {
  constexpr std::size_t gap = 2;
  std::size_t width = 1;
  for (const Map& map : maps) width = std::max(width, *std::max_element(map.widths.begin(), map.widths.end()));
  const std::size_t across = std::max<std::size_t>(1, (columns + gap) / (width + gap));
  std::string text;
  for (std::size_t first = 0; first < maps.size(); first += across) {
    const std::size_t end = std::min(maps.size(), first + across);
    if (first > 0) text += "\n";
    for (std::size_t line = 0; line < maps[first].lines.size(); ++line) {
      for (std::size_t i = first; i < end; ++i) {
        text += maps[i].lines[line];
        if (i + 1 < end) text += std::string(width + gap - maps[i].widths[line], ' ');
      }
      text += "\n";
    }
  }
  return text;
}

}  // namespace

std::string draw_grid_maps(const data::Record& record, const HeatmapStyle& style) {
  const Colours colours = style.colours;
  std::vector<Map> maps;
  for (std::size_t t = 0; t < std::min(record.weights.matrix.size(), most_shown); ++t)
    maps.push_back(map_of(record, t, colours));
  const std::string gold = colours == Colours::none ? ") gold  " : "orange: gold  ";
  return heatmap_title(record, "picture", colours) + side_by_side(maps, style.columns) +
         shown_note(record.weights.matrix.size(), "target words", style) +
         footer({record.gold ? gold + "● largest weight in gold, x not" : "", accuracy_legend(record)}, style);
}

}  // namespace softalign::apps
