// An alignment record as text: the formats that align, translate and convert write.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/cli/common_options.h"
#include "apps/pages/sheet.h"
#include "apps/terminal/heatmap.h"
#include "data/alignment/link_rules.h"
#include "data/alignment/record.h"

namespace apps {

// Those of data/alignment/formats/formats.h and two pictures, which cannot be read: plot, the terminal heatmap, several
// lines and a blank one; svg, one drawing of all records.
const std::vector<std::string>& alignment_formats();
bool is_picture(const std::string& format);

// With its line end(s); not for svg, which is not written record by record. `style` is for plot. std::runtime_error if
// the record has no weights and the format needs them.
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
void declare(CommandLine& line, data::LinkRule& rule);  // --rule and --threshold alone
// UsageError for a shift, a rule or original words in a format that has no links of its own.
void check(const AlignmentOutput& output);

// UsageError, naming the option that makes links, for a format that holds weights.
void check_links(const AlignmentOutput& output, const std::string& option);

// Records as they are written: with the links of the other shift or by another rule, and over the original words, if
// that is asked for.
class AlignmentText {
 public:
  AlignmentText(const AlignmentOutput& output, const HeatmapStyle& style) : output_(output), style_(style) {}
  std::string add(data::Record record);  // what can be written of it now: all, but of svg nothing
  std::string rest() const;              // what is written after the last record: of svg all, else nothing

 private:
  AlignmentOutput output_;
  HeatmapStyle style_;
  Sheet sheet_;
};

// Prints records in that format.
void print_alignment(const std::string& text, const std::string& format);

// The part of Marian's hard and soft lines that follows the target words.
std::string hard_links(const data::Record& record);
std::string soft_weights(const data::Record& record);

}  // namespace apps
