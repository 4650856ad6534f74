// These functions read the columns of a line of a corpus. Readers for all kinds of sources use them. The parameter
// `where` is "FILE:LINE", and the message of an Error starts with it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "data/corpus/corpus.h"

namespace softalign::data {

// Adds a note to the corpus if the numbers in its gold links seem to count from 1, but `first_word` is 0. Also adds a
// note if `first_word` is 1, but there are no gold links. In the note, `item` is the name of what the links connect,
// for example "word".
void note_index_base(Corpus& corpus, const std::string& path, std::size_t first_word, const char* item = "word");

// Returns the columns of a line, which are separated by tabs. The line must have at least `least` columns, and may have
// two more, for gold links and tags. The result always has these two; they are empty if the line lacks them. `expected`
// describes the columns for messages. For a blank line, all columns are empty; with Blank::refuse, the function throws
// Error instead.
std::vector<std::string> columns_of(const std::string& line, std::size_t least, const char* expected,
                                    const std::string& where, Blank blank);

// Returns true if one of the first `sides` columns is blank. With Blank::drop, the function then adds 1 to the number
// of blank lines of the corpus. With Blank::keep, it then adds a blank pair to the corpus. With Blank::refuse, it
// always returns false.
bool is_blank(Corpus& corpus, const std::vector<std::string>& columns, std::size_t sides, std::size_t line,
              Blank blank);

// Returns the words of one side of a pair. Throws Error if there are none.
Tokens tokens_of(const std::string& text, const Tokenize& tokenize, const char* side, const std::string& where);

// Returns the answer of a pair whose source has several parts. The answer must be one word. `what` is the name of the
// answer in messages.
Tokens answer_of(const std::string& text, const Tokenize& tokenize, const char* what, const std::string& where);

// GoldSide is one side of a pair with gold links: its text and its tokens. `name` is for messages.
struct GoldSide {
  const std::string& text;
  const Tokens& tokens;
  const Tokenize& tokenize;
  const char* name;
};

// WordsOfTokens says to which word of the text each token belongs.
struct WordsOfTokens {
  const char* side;
  Tokens words;
  std::vector<std::size_t> word;   // the word of each token
  std::vector<std::size_t> first;  // the first token of each word; the last entry is the number of tokens

  bool same() const;  // true if every word is one token
  // Throws Error if the tokeniser has removed word i, because a link to this word then has no token. `linked` describes
  // the link in the message.
  void check_left(std::size_t i, const std::string& linked, const std::string& where) const;
};
WordsOfTokens words_of_tokens(const GoldSide& side);

// GoldColumn is the text of the gold links of a pair. `column` is the number of the column in a TSV file, from 1. It is
// 0 for a line of a file that has only links.
struct GoldColumn {
  const std::string& text;
  std::string where;
  std::size_t column;
};
struct GoldOverTokens {
  Gold gold;
  std::optional<WrittenGold> written;  // as Pair::written
};
GoldOverTokens read_gold(const GoldColumn& column, const GoldSide& source, const GoldSide& target,
                         std::size_t first_word);

std::vector<std::string> parse_tags(const std::string& text, const std::string& where);

// Returns true if an item, for example a sentence, has too many words. The caller then leaves it out, and the corpus
// counts such items. `what` is the name of the item in messages. Throws Error instead if the options refuse long items.
bool is_dropped(Corpus& corpus, std::size_t words, const CorpusOptions& options, const char* what,
                const std::string& where);

// Throws Error if all lines of the file were left out.
void check_any_left(const Corpus& corpus, const std::string& path, std::size_t max_length, const char* what = "pairs");

// RowForm describes the lines of a kind of corpus. A line has `sides` columns with text. Columns for gold links and
// tags may follow.
struct RowForm {
  std::size_t sides;     // 0: a line may have any number of columns, and none of them has tags
  const char* expected;  // describes the columns, for messages
  const char* items;     // the name of what a line has, for messages: "stories"
};

// The struct Row describes one line of a corpus. In `pair`, `line` is the number of the line, source_line is the text
// of the first side, and target_line is the text of the last side.
struct Row {
  std::vector<std::string> columns;  // columns for missing gold links and tags are empty
  std::string where;                 // "FILE:LINE"
  Pair pair;
};

// Reads a corpus, one pair per line. For each line, read_rows calls `build`, which completes row.pair. If `build`
// returns false, read_rows leaves the line out. For example, `build` returns false if a sentence is too long or if
// is_blank returns true. read_rows adds the tags. Throws Error, which names file and line, if a line does not have the
// columns of `form`. Also throws Error if no pair is left.
Corpus read_rows(const std::vector<std::string>& lines, const std::string& path, const CorpusOptions& options,
                 const RowForm& form, const std::function<bool(Row& row, Corpus& corpus)>& build);

}  // namespace softalign::data
