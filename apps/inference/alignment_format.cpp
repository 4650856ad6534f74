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
  std::string text;
  for (const data::Format& format : data::formats()) text += fmt::format("{}: {}; ", format.name, format.about);
  return text +
         "plot: a heatmap in the terminal; svg: one drawing of all matrices. --out FILE.svg or FILE.png (needs "
         "rsvg-convert) implies this format";
}

bool holds_links_alone(const std::string& format) { return !is_picture(format) && !data::format_named(format).weights; }

void require_weights(const data::Record& record, const std::string& format) {
  if (!record.weights.matrix.empty()) return;
  throw data::Error(
      data::ErrorKind::bad_data,
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
  line.add_here("rule", &rule.name,
                "rule that turns weights into links: best: the source word with the largest weight, unless this is "
                "</s>; best-word: the same without </s>; threshold: all weights of at least --threshold; mutual: "
                "largest weight of its row and of its column; product: largest product of the weight and its share of "
                "the column, which helps most for unknown words",
                one_of(data::known_link_rules()));
  line.add_here("threshold", &rule.threshold, "threshold of the rules threshold and agreement", between(0, 1));
}

void check_threshold(const CommandLine& line, const data::LinkRule& rule, const std::string& joint_rule) {
  if (!line.given("threshold") || rule.name == "threshold" || joint_rule == "agreement") return;
  throw UsageError(fmt::format("--threshold is of --rule threshold, and not of rule {}; give both or neither",
                               joint_rule.empty() ? rule.name : joint_rule));
}

void declare(CommandLine& line, AlignmentOutput& output) {
  line.group("Output");
  line.add_here("format", &output.format, describe_formats(), one_of(alignment_formats()));
  line.add_here("shift", &output.shift,
                "0: the weights of a step belong to the word that it writes; 1: to the word that it reads",
                between(0, 1));
  declare(line, output.rule);
  declare(line, output.over);
  line.add_here("color", &output.colour, color_help);
}

void check_links(const AlignmentOutput& output, const std::string& option) {
  if (holds_links_alone(output.format)) return;
  throw UsageError(fmt::format("--{} is about links; --format {} holds weights: choose pharaoh, tsv, hard or fairseq",
                               option, output.format));
}

void check_drawing(AlignmentOutput& output, const std::string& out, bool given) {
  if (!is_drawing_name(out)) return;
  if (!given) output.format = "svg";
  if (output.format != "svg" && out.ends_with(".png"))
    throw UsageError(
        fmt::format("--out {}: --format {} is text; leave --format out, or name another file", out, output.format));
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
    throw data::Error(data::ErrorKind::bad_data,
                      fmt::format("--{}: links are read off the attention weights, and the input has none",
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
        throw data::Error(data::ErrorKind::bad_data,
                          fmt::format("sentence {}: a word of its target line has no token, so that the model has no "
                                      "weights for it; choose a "
                                      "format of links (pharaoh, tsv, hard or fairseq), or --over tokens",
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
                "unit that positions count: words: the words between spaces and tabs in your lines; tokens: the tokens "
                "of the run, which are written as well. Default: words for pharaoh, tsv, hard, soft and fairseq, "
                "tokens for formats that contain the words. Old name of words: original",
                one_of({"words", "tokens", "original"}));
  line.add_here("tokens", &over.tokens,
                "--over tokens: file for the tokens, one line `source tokens<TAB>target tokens` per record; required "
                "by pharaoh, hard, soft and fairseq");
}

bool over_words(const Over& over, const std::string& format) {
  if (over.units.empty()) return lacks_words(format) || format == "tsv";
  return over.units != "tokens";
}

void check(const Over& over, const std::string& format) {
  if (over.tokens.empty() || !over_words(over, format)) return;
  throw UsageError(
      "--tokens FILE is for the tokens that links count with --over tokens, and links count words here; give both "
      "options or neither");
}

void check_tokens(const Over& over, const std::string& format, bool tokens_are_words, const std::string& whose) {
  if (over_words(over, format) || !lacks_words(format) || !over.tokens.empty() || tokens_are_words) return;
  throw UsageError(fmt::format(
      "--over tokens: positions count {}, and --format {} does not hold them: add --tokens FILE, which they are "
      "written to, or leave --over tokens out, so that positions count the words between spaces",
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
