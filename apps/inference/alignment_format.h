// This file writes alignment records as text. The programs `align`, `translate` and `convert` share this code, so they
// offer the same formats and options.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/common_options.h"
#include "apps/pages/matrix.h"
#include "apps/terminal/heatmap.h"
#include "autograd/names.h"
#include "data/alignment/formats/formats.h"
#include "data/alignment/link_extraction.h"
#include "data/alignment/record.h"
#include "data/alignment/symmetrisation.h"
#include "data/alignment/word_level.h"
#include "data/io/files.h"

namespace softalign::apps {

// Two formats in data/alignment/formats/formats.h are pictures: `plot` and `svg`. Programs can write them, but not read
// them. The format plot is a heatmap in the terminal, with a blank line after each record. The format svg is one
// drawing of all records.
using data::AlignmentFormat;

std::vector<std::string> readable_formats();  // names of the formats that are not pictures

// Returns the format of an alignment file by the ending of its name, for example jsonl for own.jsonl and pharaoh for
// en-fr.pharaoh.gz. Returns nothing if the ending is unknown.
std::optional<AlignmentFormat> format_by_ending(const std::string& path);

// holds_links() returns true if files in the format contain links instead of weights. lacks_words() returns true if
// files in the format do not contain all words of the sentences.
bool holds_links(AlignmentFormat format);
bool lacks_words(AlignmentFormat format);

// Returns the record as text, with the ends of its lines. This function does not support the format svg, because a
// drawing contains all records. Only the format plot uses `style`. Throws data::Error if the format needs weights and
// the record has none.
std::string format_record(const data::Record& record, AlignmentFormat format, const HeatmapStyle& style);

// UnitOptions has the options --over and --tokens. --over says whether an alignment has the positions of words in the
// user's lines, or the positions of tokens of the run's tokeniser. --tokens names a file to which the tokens are
// written.
enum class PositionUnit { words, tokens };
constexpr auto names_of(PositionUnit) {
  return autograd::names<PositionUnit>({{"words", PositionUnit::words}, {"tokens", PositionUnit::tokens}});
}
struct UnitOptions {
  std::optional<PositionUnit> unit;  // nothing: words for tsv and for formats that lack words, else tokens
  std::string tokens;                // file of the tokens
};
void declare(CommandLine& line, UnitOptions& units);

// Returns true if positions in a file of this format mean words of the user's lines (--over words), and not tokens.
bool counts_words(const UnitOptions& units, AlignmentFormat format);

// Throws UsageError if the user names a file of tokens (--tokens), but the alignment has positions of words.
void check(const UnitOptions& units, AlignmentFormat format);
// Throws UsageError if the output lacks the tokens that its positions refer to. This is so if all of the following
// hold: the positions count tokens, the format does not contain the tokens, the user names no file for them (--tokens),
// and `tokens_are_words` is false. `whose` describes the tokens in the message.
void check_tokens(const UnitOptions& units, AlignmentFormat format, bool tokens_are_words, const std::string& whose);

// TokensFile writes the file that the option --tokens names. The file has one line per record: `source
// tokens<TAB>target tokens`. If the user does not give the option, TokensFile writes nothing.
class TokensFile {
 public:
  explicit TokensFile(const UnitOptions& units);
  // Throws data::Error for a token that is empty or contains white space.
  void add(const data::Record& record);
  void add(const std::string& lines);
  void finish();
  bool is_open() const { return file_.has_value(); }

 private:
  std::optional<data::OutputFile> file_;
};
// Returns the line for this record in the file that --tokens names, with its line end.
std::string line_of_tokens(const data::Record& record);

// If several processes translate, they send their results to the process that writes the files. Such a message contains
// the text of the results and lines for the file of tokens. The byte 0 (tokens_mark) precedes and follows each line for
// the file of tokens. apart() separates these lines from the text of the results.
inline constexpr char tokens_mark = '\0';
struct TextAndTokens {
  std::string text, tokens;
};
TextAndTokens apart(const std::string& marked);

// AlignmentOutput has the options of programs that write files of records: --format, --shift, --rule, --threshold,
// --over, --tokens and --color.
struct AlignmentOutput {
  AlignmentFormat format = AlignmentFormat::jsonl;
  UseColour colour = UseColour::automatic;
  UnitOptions units;
  // The shift says from which decoder step a word takes its links. 0 is the step that writes the word, and 1 is the
  // step that reads the word (data/alignment/argmax_links.h).
  std::size_t shift = 0;
  data::LinkRule rule;
};
void declare(CommandLine& line, AlignmentOutput& output);
void declare(CommandLine& line, data::LinkRule& rule);  // declares only --rule and --threshold
// Throws UsageError if the user gives a threshold to a rule that has none.
void check_threshold(const CommandLine& line, const data::LinkRule& rule,
                     std::optional<data::JointRuleKind> joint_rule = {});
// If `given` is false, sets the format by the ending of the file name `out`, for example pharaoh for links.pharaoh. For
// the ending .json, the format is jsonl, and a note says so. Throws UsageError for the ending of another kind of file,
// for example .npy.
// If `given` is true, the user has chosen the format, and it stays. A note is printed if the ending names another
// format. Throws UsageError if the ending is .png and the format is not svg.
// For a file name that ends in .png, also checks that the program `rsvg-convert` is installed.
void choose_format(AlignmentFormat& format, const std::string& out, bool given);

// Some users know joint rules by the names of other programs, for example gdfa. If a user gives such a name as the
// value of `option`, the error message suggests softalign's name for the rule. The suggestion begins with the text
// `use`, for example "write grow-diag-final-and".
void advise_joint_rules(CommandLine& line, const std::string& option, const std::string& use = "write ");

// Throws UsageError if the user gives --shift or --rule, but the format contains weights instead of links. Also throws
// it if --over and --tokens contradict each other.
void check(const AlignmentOutput& output);

// Throws UsageError for a format that contains weights, because `option` creates only links. The message names
// `option`.
void check_links(const AlignmentOutput& output, const std::string& option);

// AlignmentText converts records to the text of an output file. It computes the links of each record with the chosen
// shift and rule, between words or between tokens.
class AlignmentText {
 public:
  AlignmentText(const AlignmentOutput& output, const HeatmapStyle& style,
                data::NoLine no_line = data::NoLine::tokens_are_words)
      : output_(output), style_(style), no_line_(no_line), tokens_(output.units) {}
  std::string add(data::Record record);  // returns the text to write now: nothing for svg, else the record
  std::string rest() const;              // returns the text after the last record: the drawing for svg
  void finish() { tokens_.finish(); }    // call this once all text has been written
  // Returns a note if the format has only links and no record had a link, although some record had words on both sides.
  std::string note_of_no_link() const;

 private:
  AlignmentOutput output_;
  HeatmapStyle style_;
  data::NoLine no_line_;
  TokensFile tokens_;
  bool first_ = true;  // no record has been written yet
  bool any_words_ = false, any_link_ = false;
  Sheet sheet_;
};

// Prints text in this format to standard output.
void print_alignment(const std::string& text, AlignmentFormat format);

// Call this function with the first text of an output file. A program that reads the file removes the character U+FEFF
// at the start, because it takes this character for a byte order mark. If the text starts with U+FEFF, this function
// therefore puts a second U+FEFF before it. Otherwise it returns the text unchanged.
std::string at_beginning(const std::string& text);

}  // namespace softalign::apps
