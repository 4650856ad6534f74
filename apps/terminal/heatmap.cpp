#include "apps/terminal/heatmap.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>

#include "data/corpus/vocabulary.h"
#include "data/io/unicode.h"
#include "data/metrics/aer.h"
#include "data/metrics/attention_accuracy.h"

namespace softalign::apps {

namespace {

using Rgb = std::array<double, 3>;

// One blue hue from paper (dark, 0) to light (1), each stop lighter than the one before.
constexpr std::array<Rgb, 6> stops{
    {{22, 26, 34}, {24, 46, 78}, {28, 82, 142}, {54, 132, 206}, {138, 194, 240}, {232, 245, 255}}};

// The same in orange, for gold cells of a picture, which have no room for brackets.
constexpr std::array<Rgb, 6> gold_stops{
    {{64, 44, 16}, {104, 66, 14}, {150, 92, 16}, {200, 124, 28}, {240, 172, 80}, {255, 232, 190}}};

Rgb between(const std::array<Rgb, 6>& from, double weight) {
  const double at = std::clamp(weight, 0., 1.) * (from.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), from.size() - 2);
  Rgb mixed{};
  for (std::size_t i = 0; i < 3; ++i) {
    mixed[i] = std::round(from[below][i] + (at - static_cast<double>(below)) * (from[below + 1][i] - from[below][i]));
  }
  return mixed;
}
Rgb blue(double weight) { return between(stops, weight); }

// The colour's SGR parameters behind 38; (ink) or 48; (paper).
std::string colour_of(const Pixel& pixel, Colours colours) {
  const double weight = std::clamp(pixel.weight, 0., 1.);
  if (colours == Colours::truecolor) {
    const Rgb c = between(pixel.gold ? gold_stops : stops, weight);
    return fmt::format("2;{:.0f};{:.0f};{:.0f}", c[0], c[1], c[2]);
  }
  constexpr std::array<int, 6> oranges{58, 94, 136, 178, 221, 230};  // of the palette's colour cube
  const int grey = 232 + static_cast<int>(std::lround(weight * 23));
  return fmt::format("5;{}", pixel.gold ? oranges[static_cast<std::size_t>(std::lround(weight * 5))] : grey);
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

// SGR styles of a cell: what lies under it, its number, and gold's brackets, which stand out by hue where it is dark.
struct Ink {
  std::string paper, number, bracket;
};

Ink ink_of(double weight, Colours colours) {
  constexpr const char *black = "38;5;16", *white = "38;5;231";
  if (colours == Colours::truecolor) {
    const Rgb c = blue(weight);
    // relative luminance, gamma taken as 2.2: black ink above .18, where both inks contrast alike
    const bool light =
        0.2126 * std::pow(c[0] / 255, 2.2) + 0.7152 * std::pow(c[1] / 255, 2.2) + 0.0722 * std::pow(c[2] / 255, 2.2) >
        0.18;
    return {fmt::format("48;2;{:.0f};{:.0f};{:.0f};", c[0], c[1], c[2]), light ? black : white,
            light ? black : "38;2;255;200;90"};
  }
  // the grey ramp 232 (almost black) .. 255 (almost white)
  const int grey = 232 + static_cast<int>(std::lround(std::clamp(weight, 0., 1.) * 23));
  return {fmt::format("48;5;{};", grey), grey > 243 ? black : white, grey > 243 ? black : "38;5;221"};
}

}  // namespace

std::string draw_cell(double weight, Mark mark, std::size_t width, Colours colours) {
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
std::string bar_of(double share) {
  const auto filled = static_cast<std::size_t>(std::lround(std::clamp(share, 0., 1.) * bar_columns));
  std::string text;
  for (std::size_t i = 0; i < bar_columns; ++i) text += i < filled ? "▇" : " ";
  return text;
}

bool holds(const data::Links& links, std::size_t source, std::size_t target) {
  return std::find(links.begin(), links.end(), data::Link{source, target}) != links.end();
}

// "picture 3   epoch 2, forced", with its end.
std::string heatmap_title(const data::Record& record, const std::string& noun, Colours colours) {
  const std::string epoch = record.epoch ? fmt::format("epoch {}, ", *record.epoch) : "";
  return bold(fmt::format("{} {}", noun, record.id), colours) +
         dim(fmt::format("   {}{}", epoch, record.mode), colours) + "\n";
}

// A drawing shows the first so many rows, and the first so many columns.
constexpr std::size_t most_shown = 200;

// "the first 200 of 5001 target words are shown; .." with its line end; "" if all are.
std::string shown_note(std::size_t places, const std::string& what, Colours colours) {
  if (places <= most_shown) return "";
  return dim(fmt::format("the first {} of {} {} are shown; --format jsonl holds all", most_shown, places, what),
             colours) +
         "\n";
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

// Pointing and mass in gold of this record, and the mean entropy: "pointing 75.0%  mass in gold 58.9%  2.87 nats".
std::string pointing_legend(const data::Record& record) {
  data::AttentionAccuracy score;
  if (record.gold) score.add(record.matrix, *record.gold, record.attends == "input");
  if (score.words == 0) return fmt::format("entropy {:.2f} nats", mean_nats(record));
  return fmt::format("pointing {:.1f}%  mass in gold {:.1f}%  {:.2f} nats", 100 * score.accuracy(),
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
    const Pixel upper = pixel_of(record, record.matrix[t], y * W + x, target);
    if (y + 1 == H) {
      text += draw_half_blocks(upper, nullptr, colours);
      continue;
    }
    const Pixel lower = pixel_of(record, record.matrix[t], (y + 1) * W + x, target);
    text += draw_half_blocks(upper, &lower, colours);
  }
  return text;
}

std::string plain_line(const data::Record& record, std::size_t t, std::size_t target, std::size_t y) {
  const std::size_t W = record.source_grid->W;
  std::string text;
  for (std::size_t x = 0; x < W; ++x) {
    const Mark mark = mark_of(record, y * W + x, target);
    text += draw_cell(record.matrix[t][y * W + x], mark == Mark::wrong ? Mark::none : mark, 2, Colours::none);
  }
  return text;
}

std::string found_line(const data::Record& record, std::size_t t, std::size_t target) {
  const std::vector<float>& row = record.matrix[t];
  const auto best = static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
  std::string text = fmt::format("{} {:.2f}", record.source[best], row[best]);
  if (const auto found = pointed(record, row, target))
    text += fmt::format(" {} {:.2f}", found->hit ? "●" : "x", found->mass);
  return text;
}

Map map_of(const data::Record& record, std::size_t t, Colours colours) {
  const auto& [H, W] = *record.source_grid;
  const std::size_t target = t - (record.attends == "input");  // where that is none, gold has nothing for it
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

std::string draw_grid_maps(const data::Record& record, Colours colours, std::size_t columns) {
  std::vector<Map> maps;
  for (std::size_t t = 0; t < std::min(record.matrix.size(), most_shown); ++t)
    maps.push_back(map_of(record, t, colours));
  const std::string gold = colours == Colours::none ? ") gold  " : "orange: gold  ";
  return heatmap_title(record, "picture", colours) + side_by_side(maps, columns) +
         shown_note(record.matrix.size(), "target words", colours) +
         dim((record.gold ? gold + "● largest weight in gold, x not  " : "") + pointing_legend(record), colours) + "\n";
}

// --- a story ---

constexpr std::size_t most_of_a_question = 400;  // code points
constexpr std::size_t look_columns = 6 + 1 + bar_columns + 1;

struct Look {
  std::string name;
  const data::Matrix* matrix;
};

// Each head is a look; a record without heads has one.
std::vector<Look> looks_of(const data::Record& record) {
  std::vector<Look> looks;
  for (const data::Head& head : record.heads) {
    if (head.kind != "cross") continue;
    const bool several = std::any_of(record.heads.begin(), record.heads.end(), [&](const data::Head& other) {
      return other.kind == "cross" && other.layer == head.layer && other.head != head.head;
    });
    looks.push_back(
        {several ? fmt::format("hop {}.{}", head.layer + 1, head.head + 1) : fmt::format("hop {}", head.layer + 1),
         &head.matrix});
  }
  if (looks.empty()) looks.push_back({"weight", &record.matrix});
  return looks;
}

std::string line_of(const data::Record& record, const std::vector<Look>& looks, std::size_t t, std::size_t s,
                    Colours colours, std::size_t columns) {
  const std::size_t target = t - (record.attends == "input");  // where that is none, gold has nothing for it
  std::string text = fmt::format("{:>3} ", s + 1);
  for (const Look& look : looks) {
    const double weight = (*look.matrix)[t][s];
    const Mark mark = mark_of(record, s, target);
    text += draw_cell(weight, mark == Mark::wrong ? Mark::none : mark, 6, colours) + " " +
            dim(bar_of(weight), colours) + " ";
  }
  const std::size_t taken = 4 + looks.size() * look_columns;
  return text + clip(printable(record.source[s]), std::max<std::size_t>(20, columns - std::min(columns, taken))) + "\n";
}

std::string draw_story_bars(const data::Record& record, Colours colours, std::size_t columns) {
  const std::vector<Look> looks = looks_of(record);
  std::string text = heatmap_title(record, "story", colours);
  if (record.question) text += printable(data::shortened(*record.question, most_of_a_question)) + "\n";
  std::string head = "    ";
  for (const Look& look : looks) head += pad_right(look.name, look_columns);
  for (std::size_t t = 0; t < std::min({record.target.size(), record.matrix.size(), most_shown}); ++t) {
    text += dim(head.substr(0, head.find_last_not_of(' ') + 1), colours) + "\n";
    for (std::size_t s = 0; s < std::min(record.source.size(), most_shown); ++s)
      text += line_of(record, looks, t, s, colours, columns);
    text += bold(printable(data::shortened(record.target[t])), colours) + "\n";
  }
  text += shown_note(record.source.size(), "sentences", colours);
  return text + dim((record.gold ? "[ ] gold sure  ( ) possible  " : "") + pointing_legend(record), colours) + "\n";
}

// --- a sentence pair ---

struct Layout {
  std::vector<std::string> source, target;  // the words as they are shown, with </s>
  std::size_t label = 0;                    // columns of the target words
  std::size_t cell = 6;
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

Layout lay_out(const data::Record& record, std::size_t columns) {
  Layout layout;
  const data::Unknown unknown = record.unknown.value_or(data::Unknown{});
  layout.source = labels(record.source, record.source_eos, unknown.source);
  layout.target = labels(record.target, record.target_eos, unknown.target);
  for (auto* words : {&layout.source, &layout.target}) words->resize(std::min(words->size(), most_shown));
  layout.label = widest(layout.target);
  const std::size_t beside = layout.label + 1 + std::string(" 10.0 ").size() + bar_columns +
                             std::string(" 0.00  < ").size() + widest(layout.source);
  for (const std::size_t width : {6, 5, 2}) {
    layout.cell = width;
    if (beside + width * layout.source.size() <= columns) break;
  }
  return layout;
}

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

// The source words over their columns; where cells are two wide they are written downwards.
std::string head(const Layout& layout) {
  const std::string margin(layout.label + 1, ' ');
  std::string text;
  if (layout.cell > 2) {
    text = margin;
    for (const std::string& word : layout.source) text += centre(clip(word, layout.cell - 1), layout.cell);
  } else {
    std::vector<std::vector<std::string>> columns;
    std::size_t height = 0;
    for (const std::string& word : layout.source) {
      columns.push_back(letters(word));
      height = std::max(height, columns.back().size());
    }
    for (std::size_t line = 0; line < height; ++line) {
      text += (line ? "\n" : "") + margin;
      for (const auto& column : columns) {
        const std::size_t above = height - column.size();  // words stand on the table
        text += pad_right(line < above ? "" : column[line - above], layout.cell);
      }
    }
  }
  return text + " nats" + std::string(bar_columns, ' ') + "     p\n";
}

// A source word that stands beyond those that are shown.
std::string word_at(const data::Record& record, std::size_t s) {
  return s < record.source.size() ? printable(data::shortened(record.source[s])) : std::string(data::end_token);
}

std::string row(const data::Record& record, const Layout& layout, std::size_t t, Colours colours) {
  const std::vector<float>& weights = record.matrix[t];
  std::string text = pad_left(layout.target[t], layout.label) + " ";
  for (std::size_t s = 0; s < layout.source.size(); ++s) {
    text += draw_cell(weights[s], mark_of(record, s, t), layout.cell, colours);
  }
  const double most = weights.size() > 1 ? std::log(static_cast<double>(weights.size())) : 1;
  const double nats = record.entropy[t];
  const auto best = static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  const std::string probability = record.logprob.empty() ? "   -" : fmt::format("{:.2f}", std::exp(record.logprob[t]));
  return text + fmt::format(" {:4.1f} ", nats) + dim(bar_of(nats / most), colours) +
         fmt::format(" {}  ← {}\n", probability,
                     best < layout.source.size() ? layout.source[best] : word_at(record, best));
}

std::string legend(const data::Record& record) {
  const double nats = mean_nats(record);
  if (!record.gold) return fmt::format("entropy {:.2f} nats", nats);
  data::AlignmentScore score;
  score.add(record.links, *record.gold);
  return fmt::format("[ ] gold sure  ( ) possible  x not in gold   AER {:.1f}%  P {:.1f}%  R {:.1f}%  {:.2f} nats",
                     100 * score.aer(), 100 * score.precision(), 100 * score.recall(), nats);
}

}  // namespace

HeatmapStyle screen_style(UseColour choice, bool to_screen) {
  return {choose_colours(choice, to_screen && is_terminal(STDOUT_FILENO)), terminal_columns(STDOUT_FILENO)};
}

bool fits_with_numbers(const data::Record& record, const HeatmapStyle& style) {
  return record.source_kind != "words" || lay_out(record, style.columns).cell > 2;
}

std::string draw_heatmap(const data::Record& record, const HeatmapStyle& style) {
  if (record.source_kind == "cells") return draw_grid_maps(record, style.colours, style.columns);
  if (record.source_kind == "sentences") return draw_story_bars(record, style.colours, style.columns);
  const Layout layout = lay_out(record, style.columns);
  std::string text = heatmap_title(record, "sentence", style.colours) + head(layout);
  for (std::size_t t = 0; t < std::min(record.matrix.size(), most_shown); ++t)
    text += row(record, layout, t, style.colours);
  text += shown_note(record.matrix.size(), "target words", style.colours);
  text += shown_note(record.source.size() + record.source_eos, "source words", style.colours);
  return text + dim(legend(record), style.colours) + "\n";
}

}  // namespace softalign::apps
