#include "apps/terminal/heatmap.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "apps/terminal/bar.h"
#include "apps/terminal/grid_maps.h"
#include "apps/terminal/heatmap_cell.h"
#include "apps/terminal/heatmap_parts.h"
#include "apps/terminal/story_bars.h"
#include "data/corpus/vocabulary.h"
#include "data/io/unicode.h"
#include "data/metrics/aer.h"

namespace softalign::apps {

namespace {

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

HeatmapStyle screen_style(const std::string& choice, bool to_screen) {
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
