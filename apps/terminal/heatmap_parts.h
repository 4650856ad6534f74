// What the three drawings of a record in the terminal share.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "apps/terminal/heatmap_cell.h"
#include "apps/terminal/terminal.h"
#include "data/alignment/record.h"

namespace softalign::apps {

// "picture 3   epoch 2, forced", with its end.
// A heatmap shows the first so many rows, and the first so many columns.
inline constexpr std::size_t most_shown = 200;

// "the first 200 of 5001 target words are shown; .." with its line end; "" if all are.
std::string shown_note(std::size_t places, const std::string& what, Colours colours);

std::string heatmap_title(const data::Record& record, const std::string& noun, Colours colours);

// What gold and links say of a source position and a target word.
Mark mark_of(const data::Record& record, std::size_t source, std::size_t target);

// Pointing and mass in gold of this record, and the mean entropy: "pointing 75.0%  mass in gold 58.9%  2.87 nats".
std::string pointing_legend(const data::Record& record);
double mean_nats(const data::Record& record);

// Whether the largest weight of a target word's row lies in gold, and how much of the row does; nothing without gold.
struct Pointed {
  bool hit = false;
  double mass = 0;
};
std::optional<Pointed> pointed(const data::Record& record, const std::vector<float>& row, std::size_t target);

}  // namespace softalign::apps
