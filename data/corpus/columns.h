// The columns of a line of a corpus with any kind of source. `where` is "FILE:LINE" in messages; all throw Error.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/corpus/corpus.h"

namespace softalign::data {

// Notes in the corpus that its file, which is read as counting from `first_word`, may count from 1; `item` is what its
// gold counts.
void note_index_base(Corpus& corpus, const std::string& path, std::size_t first_word, const char* item = "word");

// The columns of a line, separated by tabs. There is a minimum number of columns. Two more, gold and tags, may be
// missing and are then empty. `expected` describes them for messages. A blank line has empty columns, unless blank
// lines are refused.
std::vector<std::string> columns_of(const std::string& line, std::size_t least, const char* expected,
                                    const std::string& where, Blank blank);

// Whether the pair of this line is left out, or kept as a blank pair, because one of its first `sides` columns is
// blank. If blank lines are refused, the caller that reads the column reports the error.
bool is_blank(Corpus& corpus, const std::vector<std::string>& columns, std::size_t sides, std::size_t line,
              Blank blank);

// The words of a side; there is at least one.
Tokens tokens_of(const std::string& text, const Tokenize& tokenize, const char* side, const std::string& where);

// The one target word of a source in several parts; `what` is its name in messages.
Tokens answer_of(const std::string& text, const Tokenize& tokenize, const char* what, const std::string& where);

// A text with gold links over its words, and its tokens. `name` is for messages.
struct GoldSide {
  const std::string& text;
  const Tokens& tokens;
  const Tokenize& tokenize;
  const char* name;
};

// The word of a side that each token comes from.
struct WordsOfTokens {
  const char* side;
  Tokens words;
  std::vector<std::size_t> word;   // of each token
  std::vector<std::size_t> first;  // token of each word, and the number of tokens behind the last

  bool same() const;  // every word is one token
  // Error, naming what is linked, if no token is left of word i.
  void check_left(std::size_t i, const std::string& linked, const std::string& where) const;
};
WordsOfTokens words_of_tokens(const GoldSide& side);

// Links as text of a file: the column of a TSV file, counted from 1, or 0 for a line of a file of links.
struct GoldColumn {
  const std::string& text;
  std::string where;
  std::size_t column;
};
struct GoldOverTokens {
  Gold gold;
  std::optional<WrittenGold> written;  // as of Pair
};
GoldOverTokens read_gold(const GoldColumn& column, const GoldSide& source, const GoldSide& target,
                         std::size_t first_word);

std::vector<std::string> parse_tags(const std::string& text, const std::string& where);

// Whether `what` has too many words and is left out. Left-out items are counted.
bool is_dropped(Corpus& corpus, std::size_t words, const CorpusOptions& options, const char* what,
                const std::string& where);

// Not every line was left out.
void check_any_left(const Corpus& corpus, const std::string& path, std::size_t max_length, const char* what = "pairs");

}  // namespace softalign::data
