// An alignment record as text: the formats that align, translate and convert write.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/common_options.h"
#include "apps/pages/matrix.h"
#include "apps/terminal/heatmap.h"
#include "data/alignment/link_extraction.h"
#include "data/alignment/record.h"
#include "data/alignment/word_level.h"
#include "data/io/files.h"

namespace softalign::apps {

// The formats of data/alignment/formats/formats.h, and two pictures, which cannot be read. plot is the terminal
// heatmap, with a blank line after each. svg is one drawing of all records.
const std::vector<std::string>& alignment_formats();
bool is_picture(const std::string& format);
std::vector<std::string> readable_formats();  // without pictures

// The format of an alignment file by the ending of its name: own.jsonl, en-fr.pharaoh.gz; "" if it is unknown.
std::string format_by_ending(const std::string& path);

// The record as text with its line ends. It does not support svg, which contains all records. `style` is for plot.
// data::Error if the record has no weights and the format needs them.
std::string format_record(const data::Record& record, const std::string& format, const HeatmapStyle& style);

// The option --over: positions in an alignment count the words of the user's lines, or the run's tokens, which are
// written to a file of their own.
struct Over {
  std::string units;   // words, original (the same), tokens; "": words in formats that lack a side's words, and in tsv
  std::string tokens;  // file of the tokens
};
void declare(CommandLine& line, Over& over);

// Whether a record is written over words in this format.
bool over_words(const Over& over, const std::string& format);

// UsageError: a file of tokens although words are counted.
void check(const Over& over, const std::string& format);
// UsageError: positions count tokens, the format does not contain them, and there is no file of tokens, unless the
// tokens are the words. `whose` names the tokeniser in the message.
void check_tokens(const Over& over, const std::string& format, bool tokens_are_words, const std::string& whose);

// The file of --tokens: `source tokens<TAB>target tokens`, one line per record. Without the option, nothing is written.
class TokensFile {
 public:
  explicit TokensFile(const Over& over);
  // data::Error for a token that is empty or contains white space.
  void add(const data::Record& record);
  void add(const std::string& lines);
  void finish();
  bool is_open() const { return file_.has_value(); }

 private:
  std::optional<data::FileWriter> file_;
};
// The line of a record in it, with its end.
std::string line_of_tokens(const data::Record& record);

// Text that one process sends to another, with lines of that file in it. Each such line is between two markers that no
// text contains.
inline constexpr char tokens_mark = '\0';
struct TextAndTokens {
  std::string text, tokens;
};
TextAndTokens apart(const std::string& marked);

// --format, --shift, --rule, --threshold, --over, --tokens and --color, for programs that write files of records.
struct AlignmentOutput {
  std::string format = "jsonl";
  UseColour colour = UseColour::automatic;
  Over over;
  // 0: links by the step that writes a word; 1: by the step that reads it (data/alignment/link_extraction.h).
  std::size_t shift = 0;
  data::LinkRule rule;
};
void declare(CommandLine& line, AlignmentOutput& output);
void declare(CommandLine& line, data::LinkRule& rule);  // --rule and --threshold alone
// UsageError for a threshold that is given to a rule without one.
void check_threshold(const CommandLine& line, const data::LinkRule& rule, const std::string& joint_rule = "");
// If no format is `given` and the file name is that of a drawing, the format becomes svg. For a PNG, it checks that
// rsvg-convert is installed. Throws UsageError if another format is given.
void check_drawing(AlignmentOutput& output, const std::string& out, bool given);
// UsageError for a shift or a rule in a format without its own links, and for an illegal use of --over and --tokens.
void check(const AlignmentOutput& output);

// UsageError for a format that contains weights. It names the option that creates links.
void check_links(const AlignmentOutput& output, const std::string& option);

// Prepares records for writing, with the links of another shift or rule, and over words or tokens.
class AlignmentText {
 public:
  AlignmentText(const AlignmentOutput& output, const HeatmapStyle& style,
                data::NoLine no_line = data::NoLine::tokens_are_words)
      : output_(output), style_(style), no_line_(no_line), tokens_(output.over) {}
  std::string add(data::Record record);  // what can be written of it now: all, but of svg nothing
  std::string rest() const;              // what is written after the last record: of svg all, else nothing
  void finish() { tokens_.finish(); }    // once all that was written is whole

 private:
  AlignmentOutput output_;
  HeatmapStyle style_;
  data::NoLine no_line_;
  TokensFile tokens_;
  bool first_ = true;  // nothing has been written
  Sheet sheet_;
};

// Prints records in that format.
void print_alignment(const std::string& text, const std::string& format);

// The first text of a file. If the first word starts with U+FEFF, a byte order mark is added before it, because a
// reader would take the U+FEFF for one.
std::string at_beginning(const std::string& text);

}  // namespace softalign::apps
