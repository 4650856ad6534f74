#include "apps/inference/alignment_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
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
  for (const data::Format& format : data::formats()) text += fmt::format("`{}`: {}; ", format.name, format.about);
  return text +
         "`plot`: a heatmap in the terminal; `svg`: one drawing of all matrices. With --out FILE.svg or --out FILE.png "
         "the format is svg; a PNG needs the program rsvg-convert";
}

bool holds_links_alone(const std::string& format) { return !is_picture(format) && !data::format_named(format).weights; }

void require_weights(const data::Record& record, const std::string& format) {
  if (!record.weights.matrix.empty()) return;
  throw data::Error(data::ErrorKind::bad_data,
                    fmt::format("sentence {} has links but no attention weights, and {} needs weights. Choose a format "
                                "with links, for example --format pharaoh",
                                record.id + 1, format));
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

std::vector<std::string> readable_formats() {
  std::vector<std::string> names = alignment_formats();
  std::erase_if(names, is_picture);
  return names;
}

std::string format_by_ending(const std::string& path) {
  if (path.ends_with(".gz")) return format_by_ending(path.substr(0, path.size() - 3));
  const std::size_t dot = path.rfind('.');
  const std::string ending = dot == std::string::npos ? "" : path.substr(dot + 1);
  const std::vector<std::string> names = readable_formats();
  return std::find(names.begin(), names.end(), ending) == names.end() ? "" : ending;
}

bool is_picture(const std::string& format) { return format == "plot" || format == "svg"; }

std::string format_record(const data::Record& record, const std::string& format, const HeatmapStyle& style) {
  if (format != "plot") return data::write(data::format_named(format), record);
  if (!record.target.empty() || record.weights.matrix.size() > 0) require_weights(record, "a plot");
  return draw_heatmap(record, style) + "\n";
}

void print_alignment(const std::string& text, const std::string& format) {
  if (format == "plot") put_painted(text);
  else put(text);
}

void declare(CommandLine& line, data::LinkRule& rule) {
  line.add_here(
      "rule", &rule.name,
      "which source words each target word is linked to. `best`: the source word with the largest weight, and none if "
      "</s> has the largest weight; `best-word`: the source word with the largest weight, ignoring </s>; `threshold`: "
      "all source words with a weight of at least --threshold; `mutual`: a source word whose weight is the largest of "
      "its row and of its column; `product`: the source word for which the weight, times its share of the sum of the "
      "column, is largest. This rule is best for unknown words",
      one_of(data::known_link_rules()));
  line.add_here("threshold", &rule.threshold,
                "with --rule threshold or --symmetrise agreement: smallest weight of a link", between(0, 1));
}

void check_threshold(const CommandLine& line, const data::LinkRule& rule, const std::string& joint_rule) {
  if (!line.given("threshold") || rule.name == "threshold" || joint_rule == "agreement") return;
  throw UsageError(fmt::format("--threshold has no effect with --rule {}. Remove --threshold, or add --rule threshold",
                               joint_rule.empty() ? rule.name : joint_rule));
}

void declare(CommandLine& line, AlignmentOutput& output) {
  line.group("Output");
  line.add_here("format", &output.format, describe_formats(), one_of(alignment_formats()));
  line.add_here("shift", &output.shift,
                "target word to which the attention weights of a decoder step belong. 0: the word that the step "
                "writes; 1: the word that the step reads",
                between(0, 1));
  declare(line, output.rule);
  declare(line, output.over);
  line.add_here("color", &output.colour, color_help);
}

void check_links(const AlignmentOutput& output, const std::string& option) {
  if (holds_links_alone(output.format)) return;
  throw UsageError(
      fmt::format("--{} chooses links, and --format {} contains weights instead of links. Use --format pharaoh, tsv, "
                  "hard or fairseq",
                  option, output.format));
}

void check_drawing(AlignmentOutput& output, const std::string& out, bool given) {
  if (!is_drawing_name(out)) return;
  if (!given) output.format = "svg";
  if (output.format != "svg" && out.ends_with(".png"))
    throw UsageError(fmt::format(
        "--out {}: a .png file is a drawing, and --format {} is text. Remove --format, or change the file name", out,
        output.format));
  check_drawing_name(out);
}

void check(const AlignmentOutput& output) {
  if (output.shift != 0) check_links(output, "shift");
  if (output.rule.name != "best") check_links(output, "rule");
  check(output.over, output.format);
}

std::string AlignmentText::add(data::Record record) {
  const bool blank = record.target.empty() && record.weights.matrix.empty();
  const bool asked = !blank && (output_.shift != 0 || output_.rule.name != "best");
  if (asked && record.weights.matrix.empty()) {
    throw data::Error(
        data::ErrorKind::bad_data,
        fmt::format("--{0} computes links from attention weights, and the input has no weights. Remove --{0}",
                    output_.shift == 1 ? "shift 1" : fmt::format("rule {}", output_.rule.name)));
  }
  if (output_.shift == 1) record.attends = data::Attends::input;
  if (asked) record.links = links_by(output_.rule, record);
  const bool links_alone = holds_links_alone(output_.format);
  if (over_words(output_.over, output_.format) && (links_alone || !blank)) {
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
      if (!record.weights.matrix.empty()) complete(record);  // links are those of the weights that are written
    }
  } else {
    tokens_.add(record);
  }
  if (output_.format == "svg") {
    if (!record.target.empty() || record.target_eos) require_weights(record, "a drawing");
    sheet_.add(record);
    return "";
  }
  const std::string text = format_record(record, output_.format, style_);
  const bool first = std::exchange(first_, false);
  return first ? at_beginning(text) : text;
}

std::string AlignmentText::rest() const { return output_.format == "svg" ? sheet_.svg() : ""; }

std::string at_beginning(const std::string& text) {
  constexpr const char* mark = "\xEF\xBB\xBF";
  return text.starts_with(mark) ? mark + text : text;
}

namespace {

bool is_one_of(const std::string& format, std::initializer_list<const char*> list) {
  return std::find(list.begin(), list.end(), format) != list.end();
}

// Without the words of the source or of both sides.
bool lacks_words(const std::string& format) { return is_one_of(format, {"pharaoh", "fairseq", "hard", "soft"}); }

}  // namespace

void declare(CommandLine& line, Over& over) {
  line.add_here("over", &over.units,
                "unit of the positions in the output. `words`: the words between spaces and tabs in your lines; "
                "`tokens`: the tokens of the run, which are part of the output. Default: words for the formats "
                "pharaoh, tsv, hard, soft and fairseq; tokens for the other formats. `original`: old name of words",
                one_of({"words", "tokens", "original"}));
  line.add_here("tokens", &over.tokens,
                "with --over tokens: file to which the tokens are written. It has one line `source tokens<TAB>target "
                "tokens` per pair. The formats pharaoh, hard, soft and fairseq need this file");
}

bool over_words(const Over& over, const std::string& format) {
  if (over.units.empty()) return lacks_words(format) || format == "tsv";
  return over.units != "tokens";
}

void check(const Over& over, const std::string& format) {
  if (over.tokens.empty() || !over_words(over, format)) return;
  throw UsageError("--tokens FILE needs --over tokens. Add --over tokens, or remove --tokens");
}

void check_tokens(const Over& over, const std::string& format, bool tokens_are_words, const std::string& whose) {
  if (over_words(over, format) || !lacks_words(format) || !over.tokens.empty() || tokens_are_words) return;
  throw UsageError(fmt::format(
      "--over tokens: positions count {}, and --format {} does not contain these tokens. Add --tokens FILE, to which "
      "the tokens are written, or remove --over tokens: positions then count the words between spaces",
      whose, format));
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

TokensFile::TokensFile(const Over& over) {
  data::check_not_read(over.tokens);
  if (!over.tokens.empty()) file_.emplace(over.tokens);
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
