#include "apps/inference/over.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "apps/cli/command_line.h"
#include "data/alignment/formats/formats.h"

namespace softalign::apps {

namespace {

bool is_one_of(const std::string& format, std::initializer_list<const char*> list) {
  return std::find(list.begin(), list.end(), format) != list.end();
}

// Without the words of the source or of both sides.
bool lacks_words(const std::string& format) { return is_one_of(format, {"pharaoh", "fairseq", "hard", "soft"}); }

}  // namespace

void declare(CommandLine& line, Over& over) {
  line.add_here("over", &over.over,
                "what positions count: words: those between spaces and tabs in the lines as they were written; tokens: "
                "as the run cuts the text, which are written with them. By default words for pharaoh, tsv, hard, soft "
                "and fairseq, tokens for the formats that show the words of both sides. original is words",
                one_of({"words", "tokens", "original"}));
  line.add_here("tokens", &over.tokens,
                "of --over tokens: file to write the tokens to, `source tokens<TAB>target tokens` in a line for each "
                "record; needed by pharaoh, hard, soft and fairseq");
}

bool over_words(const Over& over, const std::string& format) {
  if (over.over.empty()) return lacks_words(format) || format == "tsv";
  return over.over != "tokens";
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
