#include "apps/inference/alignment_format.h"

#include <fmt/format.h>

#include <stdexcept>

#include "apps/cli/command_line.h"
#include "apps/terminal/output.h"
#include "data/alignment/formats/formats.h"
#include "data/alignment/formats/marian_soft.h"
#include "data/alignment/original_words.h"

namespace apps {

namespace {

std::string describe_formats() {
  std::string text;
  for (const data::Format& format : data::formats()) text += fmt::format("{}: {}; ", format.name, format.about);
  return text + "plot: a heatmap in the terminal; svg: a drawing of all matrices, one file";
}

bool holds_links_alone(const std::string& format) { return !is_picture(format) && !data::format_named(format).weights; }

void require_weights(const data::Record& record, const std::string& format) {
  if (!record.matrix.empty()) return;
  throw std::runtime_error(
      fmt::format("sentence {} has links but no attention weights, which {} needs", record.id + 1, format));
}

}  // namespace

const std::vector<std::string>& alignment_formats() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const data::Format& format : data::formats()) all.push_back(format.name);
    for (const char* picture : {"plot", "svg"}) all.emplace_back(picture);
    return all;
  }();
  return names;
}

bool is_picture(const std::string& format) { return format == "plot" || format == "svg"; }

std::string hard_links(const data::Record& record) { return data::format_links(record.links); }
std::string soft_weights(const data::Record& record) { return data::format_marian_weights(record.matrix); }

std::string format_record(const data::Record& record, const std::string& format, const HeatmapStyle& style) {
  if (format != "plot") return data::write(data::format_named(format), record);
  require_weights(record, "a plot");
  return draw_heatmap(record, style) + "\n";
}

void print_alignment(const std::string& text, const std::string& format) {
  if (format == "plot") put_painted(text);
  else put(text);
}

void declare(CommandLine& line, data::LinkRule& rule) {
  line.add_here(
      "rule", &rule.name,
      "of links: best: the source word of the largest weight, if it is not </s>; best-word: </s> left out; "
      "threshold: all that reach it; mutual: best of its row and its column; product: the best weight times its "
      "share of its column, which unknown words gain most by",
      one_of(data::known_link_rules()));
  line.add_here("threshold", &rule.threshold, "of rules threshold and agreement", between(0, 1));
}

void declare(CommandLine& line, AlignmentOutput& output) {
  line.group("Output");
  line.add_here("format", &output.format, describe_formats(), one_of(alignment_formats()));
  line.add_here("shift", &output.shift,
                "of links: 0: a step's weights belong to the word that it writes; 1: to the word that it reads",
                between(0, 1));
  declare(line, output.rule);
  line.add_here("over", &output.over,
                "of links: tokens, as the run cuts the text, or the original words, between white space in the lines "
                "as they were written",
                one_of({"tokens", "original"}));
  line.add_here("color", &output.colour, "colours of plot", one_of({"auto", "always", "never"}));
}

void check_links(const AlignmentOutput& output, const std::string& option) {
  if (holds_links_alone(output.format)) return;
  throw UsageError(fmt::format("--{} is about links; --format {} holds weights: choose pharaoh, tsv, hard or fairseq",
                               option, output.format));
}

void check(const AlignmentOutput& output) {
  if (output.shift != 0) check_links(output, "shift");
  if (output.rule.name != "best") check_links(output, "rule");
  if (output.over != "tokens") check_links(output, "over original");
}

std::string AlignmentText::add(data::Record record) {
  const bool asked = output_.shift != 0 || output_.rule.name != "best";
  if (asked && record.matrix.empty()) {
    throw std::runtime_error(fmt::format("--{}: links are read off the attention weights, and the input has none",
                                         output_.shift == 1 ? "shift 1" : fmt::format("rule {}", output_.rule.name)));
  }
  if (output_.shift == 1) record.attends = "input";
  if (asked) record.links = links_by(output_.rule, record);
  if (output_.over == "original") record = data::over_original_words(record);
  if (output_.format != "svg") return format_record(record, output_.format, style_);
  require_weights(record, "a drawing");
  sheet_.add(record);
  return "";
}

std::string AlignmentText::rest() const { return output_.format == "svg" ? sheet_.svg() : ""; }

}  // namespace apps
