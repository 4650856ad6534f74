// The drawings of sentence pairs, pictures and stories share these parts: the title, bars, marks of gold links, and the
// footer.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/terminal/cells.h"
#include "apps/terminal/heatmap_style.h"
#include "data/alignment/record.h"

namespace softalign::apps {

// A drawing shows the first `most_shown` rows and the first `most_shown` columns.
inline constexpr std::size_t most_shown = 200;
inline constexpr std::size_t bar_columns = 8;

// Returns a bar of blocks for a number from 0 to 1.
std::string bar_of(double weight);

// Returns the first line of a drawing, such as "picture 3   epoch 2, forced". Ids of records count from 0, but the
// drawing counts from 1, so the number is the id plus 1.
std::string heatmap_title(const data::Record& record, const std::string& noun, Colours colours);

// Returns a dim footer. Each line has as many parts as fit.
std::string footer(const std::vector<std::string>& parts, const HeatmapStyle& style);

// Returns the line "this drawing shows the first 200 of 5001 target words; ..", or "" if the drawing shows all.
std::string shown_note(std::size_t places, const std::string& what, const HeatmapStyle& style);

// Returns the mark of the cell for a source position and a target word. A gold link in this cell gets the mark `sure`
// or `possible`. A link of the model (Record::links) that is not a gold link gets the mark `wrong`. All other cells,
// and all cells of a record without gold links, have no mark.
Mark mark_of(const data::Record& record, std::size_t source, std::size_t target);

double mean_nats(const data::Record& record);

// Returns the scores of this record, such as "attention accuracy 75.0%  mass in gold 58.9%  2.87 nats". Attention
// accuracy is the share of words whose largest weight is on a gold link. Mass in gold is the total weight that a word
// gives to its gold links, as a mean over the words. The last number is the mean entropy of the weights. Without gold
// links, it is the only score.
std::string accuracy_legend(const data::Record& record);

}  // namespace softalign::apps
