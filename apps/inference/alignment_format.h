// An alignment record as text: the formats that align, translate and convert write.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/cli/common_options.h"
#include "apps/terminal/heatmap.h"
#include "data/alignment/link_rules.h"
#include "data/alignment/record.h"

namespace apps {

// Those of data/alignment/formats/formats.h, and plot: the terminal heatmap, several lines and a blank one.
const std::vector<std::string>& alignment_formats();

// With its line end(s). `style` is for plot. std::runtime_error if the record has no weights and the format needs them.
std::string format_record(const data::Record& record, const std::string& format, const HeatmapStyle& style);

// --format, --shift, --rule, --threshold, --over and --color, for programs that write whole files of records.
struct AlignmentOutput {
  std::string format = "jsonl", colour = "auto";
  std::string over = "tokens";  // what links are between
  std::size_t shift =
      0;  // links by the step that writes a word, or by the one that reads it (data/alignment/argmax_links.h)
  data::LinkRule rule;
};
void declare(CommandLine& line, AlignmentOutput& output);
// UsageError for a shift, a rule or original words in a format that has no links of its own.
void check(const AlignmentOutput& output);

// The record as it is written: with the links of the other shift or by another rule, and over the original words, if
// that is asked for.
std::string format_record(data::Record record, const AlignmentOutput& output, const HeatmapStyle& style);

// The part of Marian's hard and soft lines that follows the target words.
std::string hard_links(const data::Record& record);
std::string soft_weights(const data::Record& record);

}  // namespace apps
