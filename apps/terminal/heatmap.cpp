#include "apps/terminal/heatmap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "apps/terminal/cells.h"
#include "apps/terminal/grid_maps.h"
#include "apps/terminal/heatmap_parts.h"
#include "apps/terminal/story_bars.h"
#include "data/corpus/vocabulary.h"
#include "data/io/unicode.h"
#include "data/metrics/aer.h"

namespace softalign::apps {

namespace {

// RowDetails says which columns follow the cells: all of them, or fewer in a narrow terminal.
enum class RowDetails { all, no_bar, numbers, none };

struct Layout {
  std::vector<std::string> source, target;  // the words as they are shown, with </s>
  std::size_t label = 0;                    // columns for the target words
  std::vector<std::size_t> cells{};         // columns for each source word
  RowDetails details = RowDetails::all;
  std::size_t across = 0;  // source words per block; blocks are printed one below the other
};

// `unknown` has the positions of words that the model has read as <unk>.
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

// A layout drops details before it narrows cells to one digit. Cells of 4 columns have two digits and a point, cells of
// 3 columns have two digits.
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
  // `least` and `most` limit the columns of a cell.
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
  for (const std::size_t cell : {4U, 3U})
    for (const RowDetails details : {RowDetails::all, RowDetails::no_bar, RowDetails::numbers})
      if (fits(cell, cell, details)) return layout;
  for (const std::size_t cell : {4U, 3U})
    if (fits(cell, cell, RowDetails::none)) return layout;
  for (const RowDetails details : {RowDetails::all, RowDetails::no_bar, RowDetails::numbers, RowDetails::none})
    if (fits(2, 2, details)) return layout;
  layout.across = std::max<std::size_t>(1, (columns - std::min(columns, layout.label + 1)) / 2);
  return layout;
}

std::size_t narrowest(const Layout& layout) { return layout.cells.empty() ? 5 : layout.cells.front(); }
bool has_two_digits(const Layout& layout) { return narrowest(layout) > 2; }

// Returns the characters of a word from top to bottom. A combining mark stays with the character before it.
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

// Returns the source words of a block above their columns. If cells are narrow, the words are written vertically.
std::string head(const Layout& layout, std::size_t first, std::size_t last) {
  const std::string margin(layout.label + 1, ' ');
  std::string text;
  if (narrowest(layout) > 4) {
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
        const std::size_t above = height - column.size();  // words end just above the cells
        const std::string letter = line < above ? "" : column[line - above];
        text += pad_right((narrowest(layout) > 2 ? " " : "") + letter, narrowest(layout));
      }
    }
  }
  if (layout.details == RowDetails::none) return text + "\n";
  return text + " nats" + std::string(layout.details == RowDetails::all ? bar_columns + 1 : 1, ' ') + "    p\n";
}

// Returns a source word that may be beyond the words that are shown.
std::string word_at(const data::Record& record, std::size_t s) {
  return s < record.source.size() ? printable(data::shortened(record.source[s])) : std::string(data::end_token);
}

// Returns the row of target step t in the block of source words first .. last - 1.
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
  if (narrowest(layout) == 3) parts.emplace_back("numbers: hundredths, at most 99");
  if (!has_two_digits(layout)) {
    constexpr std::size_t widest_terminal = 250;
    const std::size_t wider = layout.label + 1 + 3 * layout.source.size();
    parts.push_back(wider > widest_terminal ? "digits: tenths, cut"
                                            : fmt::format("digits: tenths, cut; two digits need {} columns", wider));
  }
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
