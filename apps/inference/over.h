// The option --over: positions in an alignment count the words of the user's lines, or the run's tokens, which are
// written to a file of their own.
#pragma once

#include <optional>
#include <string>

#include "data/alignment/record.h"
#include "data/io/files.h"

namespace softalign::apps {

class CommandLine;

struct Over {
  std::string over;    // words, original (the same), tokens; "": words in formats that lack a side's words, and in tsv
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
  // std::runtime_error for a token that is empty or holds white space.
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

}  // namespace softalign::apps
