#include "apps/terminal/heatmap.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>

#include "data/corpus/vocabulary.h"
#include "data/io/unicode.h"
#include "data/metrics/aer.h"
#include "data/metrics/attention_accuracy.h"

namespace softalign::apps {

namespace {

using Rgb = std::array<double, 3>;

// Colours of the weights 0, 0.2 .. 1, from the background of the terminal to its opposite: of the weights in blue, of
// gold cells of a picture, which have no room for brackets, in orange.
using Stops = std::array<Rgb, 6>;
constexpr Stops blue_on_dark{
    {{22, 26, 34}, {24, 46, 78}, {28, 82, 142}, {54, 132, 206}, {138, 194, 240}, {232, 245, 255}}};
constexpr Stops blue_on_light{
    {{255, 255, 255}, {206, 224, 244}, {142, 186, 228}, {74, 140, 202}, {26, 92, 162}, {8, 44, 100}}};
constexpr Stops orange_on_dark{
    {{64, 44, 16}, {104, 66, 14}, {150, 92, 16}, {200, 124, 28}, {240, 172, 80}, {255, 232, 190}}};
constexpr Stops orange_on_light{
    {{255, 236, 204}, {252, 208, 144}, {238, 170, 84}, {206, 124, 36}, {152, 82, 14}, {96, 48, 4}}};

Rgb between(const Stops& from, double weight) {
  const double at = std::clamp(weight, 0., 1.) * (from.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), from.size() - 2);
  Rgb mixed{};
  for (std::size_t i = 0; i < 3; ++i) {
    mixed[i] = std::round(from[below][i] + (at - static_cast<double>(below)) * (from[below + 1][i] - from[below][i]));
  }
  return mixed;
}

// The grey of the 256-colour palette, whose ramp goes from 232 (almost black) to 255 (almost white).
int grey(double weight, Colours colours) {
  const int steps = static_cast<int>(std::lround(std::clamp(weight, 0., 1.) * 23));
  return is_light(colours) ? 255 - steps : 232 + steps;
}

// The colour's SGR parameters behind 38; (ink) or 48; (paper).
std::string colour_of(const Pixel& pixel, Colours colours) {
  const double weight = std::clamp(pixel.weight, 0., 1.);
  const bool light = is_light(colours);
  if (is_truecolor(colours)) {
    const Rgb c = pixel.gold ? between(light ? orange_on_light : orange_on_dark, weight)
                             : between(light ? blue_on_light : blue_on_dark, weight);
    return fmt::format("2;{:.0f};{:.0f};{:.0f}", c[0], c[1], c[2]);
  }
  constexpr std::array<int, 6> oranges{58, 94, 136, 178, 221, 230};  // of the palette's colour cube, dark to light
  const auto step = static_cast<std::size_t>(std::lround(weight * 5));
  return fmt::format("5;{}", pixel.gold ? oranges[light ? 5 - step : step] : grey(weight, colours));
}

// ".84", "1.0", " · "; a small weight is written out where gold has a link.
std::string number(double weight, Mark mark) {
  if (weight >= 0.995) return "1.0";
  if (weight < 0.05 && (mark == Mark::none || mark == Mark::wrong)) return " · ";
  return fmt::format("{:.2f}", std::max(weight, 0.)).substr(1);
}

std::string tenths(double weight, Mark mark) {
  if (weight < 0.05 && mark == Mark::none) return "·";
  return fmt::format("{}", static_cast<int>(std::clamp(weight * 10 + 1e-6, 0., 9.)));
}

// SGR styles of a cell: its background, its number, and gold's brackets, which stand out by hue from a background of
// little weight.
struct Ink {
  std::string paper, number, bracket;
};

Ink ink_of(double weight, Colours colours) {
  constexpr const char *black = "38;5;16", *white = "38;5;231";
  bool bright = false;  // the background
  std::string paper;
  if (is_truecolor(colours)) {
    const Rgb c = between(is_light(colours) ? blue_on_light : blue_on_dark, weight);
    // relative luminance, gamma taken as 2.2: above .18 black ink contrasts more than white
    bright =
        0.2126 * std::pow(c[0] / 255, 2.2) + 0.7152 * std::pow(c[1] / 255, 2.2) + 0.0722 * std::pow(c[2] / 255, 2.2) >
        0.18;
    paper = fmt::format("48;2;{:.0f};{:.0f};{:.0f};", c[0], c[1], c[2]);
  } else {
    bright = grey(weight, colours) > 243;
    paper = fmt::format("48;5;{};", grey(weight, colours));
  }
  const std::string number = bright ? black : white;
  const bool hue_contrasts = is_light(colours) ? weight < 0.3 : !bright;
  if (!hue_contrasts) return {paper, number, number};
  if (is_light(colours)) return {paper, number, is_truecolor(colours) ? "38;2;166;76;0" : "38;5;130"};
  return {paper, number, is_truecolor(colours) ? "38;2;255;200;90" : "38;5;221"};
}

}  // namespace

std::string draw_cell(double weight, Mark mark, std::size_t width, Colours colours) {
  if (width > 6) {
    const auto blank = [&](std::size_t columns) {
      const Ink ink = ink_of(weight, colours);
      return paint(ink.paper + ink.number, std::string(columns, ' '), colours);
    };
    return blank((width - 6) / 2) + draw_cell(weight, mark, 6, colours) + blank(width - 6 - (width - 6) / 2);
  }
  const std::string left = mark == Mark::sure ? "[" : mark == Mark::possible ? "(" : " ";
  const std::string right = mark == Mark::sure ? "]" : mark == Mark::possible ? ")" : mark == Mark::wrong ? "x" : " ";
  const std::string digits = width >= 5 ? pad_right(number(weight, mark), width - 2) : tenths(weight, mark);
  const Ink ink = ink_of(weight, colours);
  const auto inked = [&](const std::string& text) {
    return paint(ink.paper + ink.number + (mark == Mark::none ? "" : ";1"), text, colours);
  };
  if (mark == Mark::none || mark == Mark::wrong) return inked((width >= 5 ? left : "") + digits + right);
  const auto bracket = [&](const std::string& text) { return paint(ink.paper + ink.bracket + ";1", text, colours); };
  return (width >= 5 ? bracket(left) : "") + inked(digits) + bracket(right);
}

std::string draw_half_blocks(const Pixel& upper, const Pixel* lower, Colours colours) {
  const std::string paper = lower ? ";48;" + colour_of(*lower, colours) : "";
  return paint("38;" + colour_of(upper, colours) + paper, "▀", colours);
}

namespace {

// --- what the three drawings share ---

constexpr std::size_t bar_columns = 8;

// A bar of blocks for a number from 0 to 1.
std::string bar_of(double weight) {
  const auto filled = static_cast<std::size_t>(std::lround(std::clamp(weight, 0., 1.) * bar_columns));
  std::string text;
  for (std::size_t i = 0; i < bar_columns; ++i) text += i < filled ? "▇" : " ";
  return text;
}

bool holds(const data::Links& links, std::size_t source, std::size_t target) {
  return std::find(links.begin(), links.end(), data::Link{source, target}) != links.end();
}

// "picture 3   epoch 2, forced", with its end; people count from 1, ids from 0.
std::string heatmap_title(const data::Record& record, const std::string& noun, Colours colours) {
  const std::string epoch = record.epoch ? fmt::format("epoch {}, ", *record.epoch) : "";
  return bold(fmt::format("{} {}", noun, record.id + 1), colours) +
         dim(fmt::format("   {}{}", epoch, autograd::name_of(record.mode)), colours) + "\n";
}

// A dim footer of parts, as many a line as fit.
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

// A drawing shows the first so many rows, and the first so many columns.
constexpr std::size_t most_shown = 200;

// "this drawing shows the first 200 of 5001 target words; ..", with its line end; "" if it shows all.
std::string shown_note(std::size_t places, const std::string& what, const HeatmapStyle& style) {
  if (places <= most_shown) return "";
  return footer(
      {fmt::format("this drawing shows the first {} of {} {}; --format jsonl contains all", most_shown, places, what)},
      style);
}

// The mark of a source position and a target word, from gold and links.
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

// Attention accuracy, mass in gold and mean entropy of this record: "attention accuracy 75.0%  mass in gold 58.9%  2.87
// nats".
std::string accuracy_legend(const data::Record& record) {
  data::AttentionAccuracy score;
  if (record.gold) score.add(record.weights.matrix, *record.gold, record.attends == data::Attends::input);
  if (score.words == 0) return fmt::format("entropy {:.2f} nats", mean_nats(record));
  return fmt::format("attention accuracy {:.1f}%  mass in gold {:.1f}%  {:.2f} nats", 100 * score.accuracy(),
                     100 * score.mass_in_gold(), mean_nats(record));
}

// Whether the largest weight of a target word's row lies in gold, and how much of the row does; nothing without gold.
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

// --- the cells of a picture ---

// A map as lines of text; `width` is what the widest shows, colours do not count.
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
      t - (record.attends == data::Attends::input);  // where that is none, gold has nothing for it
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

// As many maps side by side as fit, all of one width.
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

// --- a story ---

constexpr std::size_t most_of_a_question = 400;  // code points
constexpr std::size_t least_sentence_columns = 20;

// Columns of a hop: its weight, and a bar where every hop has room for one.
std::size_t hop_columns(std::size_t hops, std::size_t columns) {
  constexpr std::size_t with_bar = 6 + 1 + bar_columns + 1;
  return 4 + hops * with_bar + least_sentence_columns <= columns ? with_bar : 7;
}

struct Hop {
  std::string name;
  const data::Matrix* matrix;
};

// Each head is a look; a record without heads has one.
std::vector<Hop> hops_of(const data::Record& record) {
  std::vector<Hop> hops;
  for (const data::Head& head : record.weights.heads) {
    if (head.kind != data::HeadKind::cross) continue;
    const bool several =
        std::any_of(record.weights.heads.begin(), record.weights.heads.end(), [&](const data::Head& other) {
          return other.kind == data::HeadKind::cross && other.layer == head.layer && other.head != head.head;
        });
    hops.push_back(
        {several ? fmt::format("hop {}.{}", head.layer + 1, head.head + 1) : fmt::format("hop {}", head.layer + 1),
         &head.matrix});
  }
  if (hops.empty()) hops.push_back({"weight", &record.weights.matrix});
  return hops;
}

std::string line_of(const data::Record& record, const std::vector<Hop>& hops, std::size_t t, std::size_t s,
                    Colours colours, std::size_t columns) {
  const std::size_t target =
      t - (record.attends == data::Attends::input);  // where that is none, gold has nothing for it
  const std::size_t hop = hop_columns(hops.size(), columns);
  std::string text = fmt::format("{:>3} ", s + 1);
  for (const Hop& hop_weights : hops) {
    const double weight = (*hop_weights.matrix)[t][s];
    const Mark mark = mark_of(record, s, target);
    text += draw_cell(weight, mark == Mark::wrong ? Mark::none : mark, 6, colours) + " ";
    if (hop > 7) text += dim(bar_of(weight), colours) + " ";
  }
  const std::size_t taken = 4 + hops.size() * hop;
  return text + clip(printable(record.source[s]), columns - std::min(columns, taken)) + "\n";
}

std::string draw_story_bars(const data::Record& record, const HeatmapStyle& style) {
  const auto [colours, columns] = style;
  const std::vector<Hop> hops = hops_of(record);
  std::string text = heatmap_title(record, "story", colours);
  if (record.question)
    for (const std::string& line : wrap(printable(data::shortened(*record.question, most_of_a_question)), columns))
      text += line + "\n";
  std::string head = "    ";
  for (const Hop& hop_weights : hops) head += pad_right(hop_weights.name, hop_columns(hops.size(), columns));
  for (std::size_t t = 0; t < std::min({record.target.size(), record.weights.matrix.size(), most_shown}); ++t) {
    text += dim(head.substr(0, head.find_last_not_of(' ') + 1), colours) + "\n";
    for (std::size_t s = 0; s < std::min(record.source.size(), most_shown); ++s)
      text += line_of(record, hops, t, s, colours, columns);
    text += bold(printable(data::shortened(record.target[t])), colours) + "\n";
  }
  text += shown_note(record.source.size(), "sentences", style);
  return text + footer({record.gold ? "[ ] gold sure  ( ) possible" : "", accuracy_legend(record)}, style);
}

// --- a sentence pair ---

// The columns to the right of the cells: all of them, or those that a narrow terminal has room for.
enum class RowDetails { all, no_bar, numbers, none };

struct Layout {
  std::vector<std::string> source, target;  // the words as they are shown, with </s>
  std::size_t label = 0;                    // columns of the target words
  std::vector<std::size_t> cells{};         // columns of each source word
  RowDetails details = RowDetails::all;
  std::size_t across = 0;  // source words in a block; blocks stand one below the other
};

// `unknown`: places of words that the model has read as <unk>.
std::vector<std::string> labels(const data::Tokens& words, bool with_end, const std::vector<std::size_t>& unknown) {
  std::vector<std::string> shown;
  for (const std::string& word : words) shown.push_back(printable(data::shortened(word)));
  for (const std::size_t i : unknown)
    if (words.at(i) != data::unk_token) shown[i].insert(0, "?");
  if (with_end) shown.push_back(data::end_token);
  return shown;
}

std::size_t widest(const std::vector<std::string>& words) {
  std::size_t width = 0;
  for (const std::string& word : words) width = std::max(width, data::display_width(word));
  return width;
}

std::size_t details_columns(RowDetails details, std::size_t word_columns) {
  const std::size_t numbers = std::string(" 10.0  0.00").size(), arrow = std::string("  < ").size();
  switch (details) {
    case RowDetails::all:
      return numbers + bar_columns + arrow + word_columns;
    case RowDetails::no_bar:
      return numbers + arrow + word_columns;
    case RowDetails::numbers:
      return numbers;
    case RowDetails::none:
      return 0;
  }
  return 0;
}

// A layout drops details before it narrows cells to one digit.
Layout lay_out(const data::Record& record, std::size_t columns) {
  Layout layout;
  const data::Unknown unknown = record.unknown.value_or(data::Unknown{});
  layout.source = labels(record.source, record.source_eos, unknown.source);
  layout.target = labels(record.target, record.target_eos, unknown.target);
  for (auto* words : {&layout.source, &layout.target}) words->resize(std::min(words->size(), most_shown));
  layout.label = std::min(widest(layout.target), std::max<std::size_t>(8, columns / 3));
  for (std::string& word : layout.target) word = clip(word, layout.label);
  layout.across = layout.source.size();
  const std::size_t words = widest(layout.source);
  // `most`: columns of the widest word that its cell still makes room for
  const auto fits = [&](std::size_t least, std::size_t most, RowDetails details) {
    layout.cells.clear();
    std::size_t width = layout.label + 1 + details_columns(details, words);
    for (const std::string& word : layout.source) {
      layout.cells.push_back(std::max(least, std::min(data::display_width(word) + 1, most)));
      width += layout.cells.back();
    }
    layout.details = details;
    return width <= columns;
  };
  constexpr std::size_t whole_words = 16;
  if (fits(6, whole_words, RowDetails::all) || fits(6, 6, RowDetails::all)) return layout;
  for (const RowDetails details : {RowDetails::all, RowDetails::no_bar, RowDetails::numbers, RowDetails::none})
    if (fits(5, 5, details)) return layout;
  for (const RowDetails details : {RowDetails::all, RowDetails::no_bar, RowDetails::numbers, RowDetails::none})
    if (fits(2, 2, details)) return layout;
  layout.across = std::max<std::size_t>(1, (columns - std::min(columns, layout.label + 1)) / 2);
  return layout;
}

bool has_two_digits(const Layout& layout) { return layout.cells.empty() || layout.cells.front() > 2; }

// The characters of a word from top to bottom, combining marks with what they stand on.
std::vector<std::string> letters(const std::string& word) {
  std::vector<std::string> split;
  for (const char32_t c : data::decode_utf8(word)) {
    const std::string letter = data::encode_utf8(c);
    if (data::display_width(letter) == 0 && !split.empty()) {
      split.back() += letter;
    } else {
      split.push_back(letter);
    }
  }
  return split;
}

// The source words of a block over their columns; where cells are two wide they are written downwards.
std::string head(const Layout& layout, std::size_t first, std::size_t last) {
  const std::string margin(layout.label + 1, ' ');
  std::string text;
  if (has_two_digits(layout)) {
    text = margin;
    for (std::size_t s = first; s < last; ++s)
      text += centre(clip(layout.source[s], layout.cells[s] - 1), layout.cells[s]);
  } else {
    const std::vector<std::string> source(layout.source.begin() + static_cast<std::ptrdiff_t>(first),
                                          layout.source.begin() + static_cast<std::ptrdiff_t>(last));
    std::vector<std::vector<std::string>> columns;
    std::size_t height = 0;
    for (const std::string& word : source) {
      columns.push_back(letters(word));
      height = std::max(height, columns.back().size());
    }
    for (std::size_t line = 0; line < height; ++line) {
      text += (line ? "\n" : "") + margin;
      for (const auto& column : columns) {
        const std::size_t above = height - column.size();  // words stand on the table
        text += pad_right(line < above ? "" : column[line - above], 2);
      }
    }
  }
  if (layout.details == RowDetails::none) return text + "\n";
  return text + " nats" + std::string(layout.details == RowDetails::all ? bar_columns + 1 : 1, ' ') + "    p\n";
}

// A source word that stands beyond those that are shown.
std::string word_at(const data::Record& record, std::size_t s) {
  return s < record.source.size() ? printable(data::shortened(record.source[s])) : std::string(data::end_token);
}

// The row of target step t in the block of the source words first .. last - 1.
std::string row(const data::Record& record, const Layout& layout, std::size_t t, std::size_t first, std::size_t last,
                Colours colours) {
  const std::vector<float>& weights = record.weights.matrix[t];
  std::string text = pad_left(layout.target[t], layout.label) + " ";
  for (std::size_t s = first; s < last; ++s)
    text += draw_cell(weights[s], mark_of(record, s, t), layout.cells[s], colours);
  if (layout.details == RowDetails::none) return text + "\n";
  const double most = weights.size() > 1 ? std::log(static_cast<double>(weights.size())) : 1;
  const double nats = record.entropy[t];
  text += fmt::format(" {:4.1f} ", nats);
  if (layout.details == RowDetails::all) text += dim(bar_of(nats / most), colours);
  text += record.logprob.empty() ? "    -" : fmt::format(" {:.2f}", std::exp(record.logprob[t]));
  if (layout.details == RowDetails::numbers) return text + "\n";
  const auto best = static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  return text + fmt::format("  ← {}\n", best < layout.source.size() ? layout.source[best] : word_at(record, best));
}

std::vector<std::string> legend(const data::Record& record, const Layout& layout) {
  std::vector<std::string> parts;
  if (!has_two_digits(layout)) parts.emplace_back("digits: tenths, cut");
  if (record.gold) {
    data::AlignmentScore score;
    score.add(record.links, *record.gold);
    parts.emplace_back("[ ] gold sure  ( ) possible  x not in gold");
    parts.push_back(fmt::format("AER {:.1f}%  P {:.1f}%  R {:.1f}%  {:.2f} nats", 100 * score.aer(),
                                100 * score.precision(), 100 * score.recall(), mean_nats(record)));
  } else {
    parts.push_back(fmt::format("entropy {:.2f} nats", mean_nats(record)));
  }
  if (layout.details == RowDetails::none) {
    const std::size_t cells = std::accumulate(layout.cells.begin(), layout.cells.end(), std::size_t{0});
    parts.push_back(fmt::format("nats and p are left out: they need {} columns",
                                layout.label + 1 + cells + details_columns(RowDetails::numbers, 0)));
  }
  return parts;
}

}  // namespace

HeatmapStyle screen_style(UseColour choice, bool to_screen) {
  return {choose_colours(choice, to_screen && is_terminal(STDOUT_FILENO)), terminal_columns(STDOUT_FILENO)};
}

bool fits_with_numbers(const data::Record& record, const HeatmapStyle& style) {
  return record.source_kind != data::SourceKind::words || has_two_digits(lay_out(record, style.columns));
}

std::string draw_heatmap(const data::Record& record, const HeatmapStyle& style) {
  if (record.source_kind == data::SourceKind::cells) return draw_grid_maps(record, style);
  if (record.source_kind == data::SourceKind::sentences) return draw_story_bars(record, style);
  const Layout layout = lay_out(record, style.columns);
  std::string text = heatmap_title(record, "sentence", style.colours);
  for (std::size_t first = 0; first < layout.source.size(); first += layout.across) {
    const std::size_t last = std::min(layout.source.size(), first + layout.across);
    text += (first > 0 ? "\n" : "") + head(layout, first, last);
    for (std::size_t t = 0; t < std::min(record.weights.matrix.size(), most_shown); ++t)
      text += row(record, layout, t, first, last, style.colours);
  }
  text += shown_note(record.weights.matrix.size(), "target words", style);
  text += shown_note(record.source.size() + record.source_eos, "source words", style);
  return text + footer(legend(record, layout), style);
}

}  // namespace softalign::apps
