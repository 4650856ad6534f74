#include "apps/inference/alignment_format.h"

#include <fmt/format.h>

#include <utility>

#include "apps/cli/command_line.h"
#include "apps/pages/drawing.h"
#include "apps/terminal/output.h"
#include "apps/terminal/terminal.h"
#include "data/alignment/formats/formats.h"
#include "data/alignment/word_level.h"
#include "data/io/error.h"

namespace softalign::apps {

namespace {

std::string describe_formats() {
  std::string text = "output format. ";
  for (const data::Format& format : data::formats()) text += fmt::format("`{}`: {}; ", format.name(), format.about);
  return text +
         "`plot`: a heatmap in the terminal; `svg`: one drawing of all matrices. With --out FILE.svg or --out FILE.png "
         "the format is svg; a PNG needs the program rsvg-convert";
}

void require_weights(const data::Record& record, const std::string& format) {
  if (!record.weights.matrix.empty()) return;
  throw data::Error(data::ErrorKind::bad_data,
                    fmt::format("sentence {} has links but no attention weights, and {} needs weights. Choose a format "
                                "with links, for example --format pharaoh",
                                record.id + 1, format));
}

}  // namespace

bool holds_links(AlignmentFormat format) { return !is_picture(format) && !data::format_of(format).weights; }

bool lacks_words(AlignmentFormat format) { return !is_picture(format) && !data::format_of(format).words; }

std::vector<std::string> readable_formats() {
  std::vector<std::string> names;
  for (const data::Format& format : data::formats()) names.push_back(format.name());
  return names;
}

std::optional<AlignmentFormat> format_by_ending(const std::string& path) {
  if (path.ends_with(".gz")) return format_by_ending(path.substr(0, path.size() - 3));
  const std::size_t dot = path.rfind('.');
  const std::string ending = dot == std::string::npos ? "" : path.substr(dot + 1);
  const auto format = autograd::value_named<AlignmentFormat>(ending);
  return format && !is_picture(*format) ? format : std::nullopt;
}

std::string format_record(const data::Record& record, AlignmentFormat format, const HeatmapStyle& style) {
  if (format != AlignmentFormat::plot) return data::write(data::format_of(format), record);
  if (!record.target.empty() || record.weights.matrix.size() > 0) require_weights(record, "a plot");
  return draw_heatmap(record, style) + "\n";
}

void print_alignment(const std::string& text, AlignmentFormat format) {
  if (format == AlignmentFormat::plot) put_painted(text);
  else put(text);
}

void declare(CommandLine& line, data::LinkRule& rule) {
  line.add_here(
      "rule", &rule.kind,
      "which source words each target word is linked to. `best`: the source word with the largest weight, and none if "
      "</s> has the largest weight; `best-word`: the source word with the largest weight, ignoring </s>; `threshold`: "
      "all source words with a weight of at least --threshold; `mutual`: the source word with the largest weight, if "
      "no other target word has a larger weight for this source word; `product`: the source word with the largest "
      "product of weight and share, where the share is the weight divided by the sum of the weights that all target "
      "words give to this source word. `product` is best for unknown words");
  line.add_here("threshold", &rule.threshold,
                "with --rule threshold or --symmetrise agreement: smallest weight of a link", between(0, 1));
}

void check_threshold(const CommandLine& line, const data::LinkRule& rule,
                     std::optional<data::JointRuleKind> joint_rule) {
  if (!line.given("threshold") || rule.kind == data::LinkRuleKind::threshold ||
      joint_rule == data::JointRuleKind::agreement)
    return;
  throw UsageError(fmt::format("--threshold has no effect with --rule {}. Remove --threshold, or add --rule threshold",
                               joint_rule ? autograd::name_of(*joint_rule) : autograd::name_of(rule.kind)));
}

void declare(CommandLine& line, AlignmentOutput& output) {
  line.group("Output");
  line.add_here("format", &output.format, describe_formats());
  line.add_here("shift", &output.shift,
                "target word to which the attention weights of a decoder step belong. 0: the word that the step "
                "writes; 1: the word that the step reads",
                between(0, 1));
  declare(line, output.rule);
  advise_joint_rules(line, "rule", "write --symmetrise ");
  declare(line, output.units);
  line.add_here("color", &output.colour, color_help);
}

void check_links(const AlignmentOutput& output, const std::string& option) {
  if (holds_links(output.format)) return;
  throw UsageError(
      fmt::format("--{} chooses links, and --format {} contains weights instead of links. Use --format pharaoh, tsv, "
                  "hard or fairseq",
                  option, autograd::name_of(output.format)));
}

namespace {

// Returns endings of files that other programs need, with advice on what to write instead.
const std::vector<std::pair<std::string, std::string>>& formats_not_written() {
  static const std::string json_lines =
      "alignments are not written as arrays. Write FILE.jsonl: the field `matrix` of each line is an array";
  static const std::string table = "alignments are not written as a table with commas. Write FILE.tsv or FILE.jsonl";
  static const std::vector<std::pair<std::string, std::string>> all{
      {".npy", json_lines},
      {".npz", json_lines},
      {".pt", json_lines},
      {".csv", table},
      {".xlsx", table},
      {".html", "a page is written by the program view: view --in FILE.jsonl --out FILE.html"},
      {".pdf", "a drawing is written as FILE.svg or FILE.png. Convert it: rsvg-convert -f pdf FILE.svg"},
      {".jpg", "a drawing is written as FILE.svg or FILE.png"}};
  return all;
}

// Returns the format for the ending of an output file.
std::optional<AlignmentFormat> format_of_output(const std::string& out) {
  if (is_drawing_name(out)) return AlignmentFormat::svg;
  return out.ends_with(".json") ? AlignmentFormat::jsonl : format_by_ending(out);
}

}  // namespace

void choose_format(AlignmentFormat& format, const std::string& out, bool given) {
  const std::optional<AlignmentFormat> named = format_of_output(out);
  if (!given) {
    for (const auto& [ending, advice] : formats_not_written())
      if (out.ends_with(ending)) throw UsageError(fmt::format("--out {}: {}", out, advice));
    if (named) format = *named;
    if (out.ends_with(".json"))
      report("note: {} gets JSON lines, with one record per line, like a file that ends in .jsonl\n", out);
  }
  if (format != AlignmentFormat::svg && out.ends_with(".png"))
    throw UsageError(fmt::format(
        "--out {}: a .png file is a drawing, and --format {} is text. Remove --format, or change the file name", out,
        autograd::name_of(format)));
  // Several formats are JSON, so the ending .json contradicts none of them.
  if (named && *named != format && !out.ends_with(".json"))
    report("note: {} gets the format {} (--format), but its ending names the format {}\n", out,
           autograd::name_of(format), autograd::name_of(*named));
  check_drawing_name(out);
}

void advise_joint_rules(CommandLine& line, const std::string& option, const std::string& use) {
  std::vector<std::pair<std::string, std::string>> advice;
  for (const char* name : {"gdfa", "gdf", "grow-diag", "grow-diag-final"})
    advice.emplace_back(name, use + "grow-diag-final-and");
  for (const char* name : {"intersect", "inter"}) advice.emplace_back(name, use + "intersection");
  line.advise(option, std::move(advice));
}

void check(const AlignmentOutput& output) {
  if (output.shift != 0) check_links(output, "shift");
  if (output.rule.kind != data::LinkRuleKind::best) check_links(output, "rule");
  check(output.units, output.format);
}

std::string AlignmentText::add(data::Record record) {
  const bool blank = record.target.empty() && record.weights.matrix.empty();
  const bool asked = !blank && (output_.shift != 0 || output_.rule.kind != data::LinkRuleKind::best);
  if (asked && record.weights.matrix.empty()) {
    throw data::Error(
        data::ErrorKind::bad_data,
        fmt::format("--{0} computes links from attention weights, and the input has no weights. Remove --{0}",
                    output_.shift == 1 ? "shift 1" : fmt::format("rule {}", autograd::name_of(output_.rule.kind))));
  }
  if (output_.shift == 1) record.attends = data::Attends::input;
  if (asked) record.links = links_by(output_.rule, record);
  const bool links_alone = holds_links(output_.format);
  if (counts_words(output_.units, output_.format) && (links_alone || !blank)) {
    const bool had_weights = !record.weights.matrix.empty();
    record = data::over_original_words(std::move(record), no_line_);
    if (!links_alone) {
      if (had_weights && record.weights.matrix.empty()) {
        throw data::Error(
            data::ErrorKind::bad_data,
            fmt::format("sentence {}: a word of the target line has no token, so the model has no weights for this "
                        "word. Use --format pharaoh, tsv, hard or fairseq, or add --over tokens",
                        record.id + 1));
      }
      if (!record.weights.matrix.empty()) complete(record);  // the links must belong to the written weights
    }
  } else {
    tokens_.add(record);
  }
  if (output_.format == AlignmentFormat::svg) {
    if (!record.target.empty() || record.target_eos) require_weights(record, "a drawing");
    sheet_.add(record);
    return "";
  }
  any_words_ = any_words_ || (!record.source.empty() && !record.target.empty());
  any_link_ = any_link_ || !record.links.empty();
  const std::string text = format_record(record, output_.format, style_);
  const bool first = std::exchange(first_, false);
  return first ? at_beginning(text) : text;
}

std::string AlignmentText::rest() const { return output_.format == AlignmentFormat::svg ? sheet_.svg() : ""; }

std::string AlignmentText::note_of_no_link() const {
  if (!holds_links(output_.format) || !any_words_ || any_link_) return "";
  return output_.rule.kind == data::LinkRuleKind::best
             ? "note: no line has a link, because </s> has the largest weight for every target word. --rule best-word "
               "ignores </s>\n"
             : "note: no line has a link. Choose another --rule or a smaller --threshold\n";
}

std::string at_beginning(const std::string& text) {
  constexpr const char* mark = "\xEF\xBB\xBF";
  return text.starts_with(mark) ? mark + text : text;
}

void declare(CommandLine& line, UnitOptions& units) {
  line.add_here("over", &units.unit,
                "unit of the positions in the output. `words`: the words between spaces and tabs in your lines; "
                "`tokens`: the tokens into which the model splits your lines. The output lists them. Default: words "
                "for the formats pharaoh, tsv, hard, soft and fairseq; tokens for the other formats");
  line.add_here("tokens", &units.tokens,
                "with --over tokens: file to which the tokens are written. It has one line `source tokens<TAB>target "
                "tokens` per pair. The formats pharaoh, hard, soft and fairseq need this file");
}

bool counts_words(const UnitOptions& units, AlignmentFormat format) {
  if (!units.unit) return lacks_words(format) || format == AlignmentFormat::tsv;
  return *units.unit == PositionUnit::words;
}

void check(const UnitOptions& units, AlignmentFormat format) {
  if (units.tokens.empty() || !counts_words(units, format)) return;
  throw UsageError("--tokens FILE needs --over tokens. Add --over tokens, or remove --tokens");
}

void check_tokens(const UnitOptions& units, AlignmentFormat format, bool tokens_are_words, const std::string& whose) {
  if (counts_words(units, format) || !lacks_words(format) || !units.tokens.empty() || tokens_are_words) return;
  throw UsageError(fmt::format(
      "--over tokens: positions count {}, and --format {} does not contain these tokens. Add --tokens FILE, to which "
      "the tokens are written, or remove --over tokens: positions then count the words between spaces",
      whose, autograd::name_of(format)));
}

std::string line_of_tokens(const data::Record& record) {
  data::check_words(record.source, "source", record, "a file of --tokens");
  data::check_words(record.target, "target", record, "a file of --tokens");
  return data::join_words(record.source) + "\t" + data::join_words(record.target) + "\n";
}

TextAndTokens apart(const std::string& marked) {
  TextAndTokens parts;
  bool tokens = false;
  for (std::size_t begin = 0; begin <= marked.size(); tokens = !tokens) {
    const std::size_t end = std::min(marked.find(tokens_mark, begin), marked.size());
    (tokens ? parts.tokens : parts.text) += marked.substr(begin, end - begin);
    begin = end + 1;
  }
  return parts;
}

TokensFile::TokensFile(const UnitOptions& units) {
  if (!units.tokens.empty()) file_.emplace(units.tokens);
}

void TokensFile::add(const data::Record& record) {
  if (file_) add(line_of_tokens(record));
}

void TokensFile::add(const std::string& lines) {
  if (file_) file_->write(lines);
}

void TokensFile::finish() {
  if (file_) file_->finish();
}

}  // namespace softalign::apps
