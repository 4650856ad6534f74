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

// Those of data/alignment/formats/formats.h and two pictures, which cannot be read: plot, the terminal heatmap, several
// lines and a blank one; svg, one drawing of all records.
const std::vector<std::string>& alignment_formats();
bool is_picture(const std::string& format);
std::vector<std::string> readable_formats();  // without pictures

// The format of an alignment file by the ending of its name: own.jsonl, en-fr.pharaoh.gz; "" if it is none's.
std::string format_by_ending(const std::string& path);

// With its line end(s); not for svg, which is not written record by record. `style` is for plot. data::Error if
// the record has no weights and the format needs them.
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
// UsageError: a format that lacks a side's words and no file of tokens, although tokens are counted; unless the tokens
// are the words. `whose` is what makes tokens of the words.
void check_tokens(const Over& over, const std::string& format, bool tokens_are_words, const std::string& whose);

// The file of --tokens: `source tokens<TAB>target tokens`, a line a record. Nothing without the option.
class TokensFile {
 public:
  explicit TokensFile(const Over& over);
  // data::Error for a token that is empty or holds white space.
  void add(const data::Record& record);
  void add(const std::string& lines);
  void finish();
  bool is_open() const { return file_.has_value(); }

 private:
  std::optional<data::FileWriter> file_;
};
// The line of a record in it, with its end.
std::string line_of_tokens(const data::Record& record);

// Text to print with lines of that file, each between two such marks, which no text holds: from one process to another.
inline constexpr char tokens_mark = '\0';
struct TextAndTokens {
  std::string text, tokens;
};
TextAndTokens apart(const std::string& marked);

// --format, --shift, --rule, --threshold, --over, --tokens and --color, for programs that write whole files of records.
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
// Makes svg of a format that is not `given` if the name of the file is a drawing's, and of a PNG checks that it can be
// made. Throws UsageError if the given format is another.
void check_drawing(AlignmentOutput& output, const std::string& out, bool given);
// UsageError for a shift or a rule in a format that has no links of its own, and for what --over and --tokens are not.
void check(const AlignmentOutput& output);

// UsageError, naming the option that makes links, for a format that holds weights.
void check_links(const AlignmentOutput& output, const std::string& option);

// Records as they are written: with the links of the other shift or by another rule, and over words or tokens.
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

// Text that begins a file, with a byte order mark before a word's own, which a reader would take for the file's.
std::string at_beginning(const std::string& text);

}  // namespace softalign::apps
