// This file reads the columns of a line of a corpus with any kind of source. All functions throw Error. `where` is
// "FILE:LINE" in messages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/corpus/corpus.h"

namespace softalign::data {

// Adds a note to the corpus if its file may count from 1 although the reader counts from `first_word`. `item` names
// what the gold links count.
void note_index_base(Corpus& corpus, const std::string& path, std::size_t first_word, const char* item = "word");

// Returns the columns of a line, separated by tabs. The line must have a minimum number of columns. Two more columns,
// gold links and tags, may be missing and are then empty. `expected` describes the columns for messages. A blank line
// has empty columns, unless the options refuse blank lines.
std::vector<std::string> columns_of(const std::string& line, std::size_t least, const char* expected,
                                    const std::string& where, Blank blank);

// Returns whether one of the first `sides` columns is blank, so the reader leaves out the pair of this line, or keeps
// it as a blank pair. If the options refuse blank lines, the caller that reads the column reports the error.
bool is_blank(Corpus& corpus, const std::vector<std::string>& columns, std::size_t sides, std::size_t line,
              Blank blank);

// Returns the words of a side. There is at least one.
Tokens tokens_of(const std::string& text, const Tokenize& tokenize, const char* side, const std::string& where);

// Returns the one target word of a source in several parts. `what` is its name in messages.
Tokens answer_of(const std::string& text, const Tokenize& tokenize, const char* what, const std::string& where);

// A GoldSide is a text with gold links over its words, and its tokens. `name` is for messages.
struct GoldSide {
  const std::string& text;
  const Tokens& tokens;
  const Tokenize& tokenize;
  const char* name;
};

// WordsOfTokens has the word of a side that each token comes from.
struct WordsOfTokens {
  const char* side;
  Tokens words;
  std::vector<std::size_t> word;   // of each token
  std::vector<std::size_t> first;  // token of each word, and the number of tokens behind the last

  bool same() const;  // every word is one token
  // Throws Error if no token is left of word i. The message names what is linked.
  void check_left(std::size_t i, const std::string& linked, const std::string& where) const;
};
WordsOfTokens words_of_tokens(const GoldSide& side);

// A GoldColumn has links as text of a file. The text is a column of a TSV file, counted from 1, or 0 for a line of a
// file of links.
struct GoldColumn {
  const std::string& text;
  std::string where;
  std::size_t column;
};
struct GoldOverTokens {
  Gold gold;
  std::optional<WrittenGold> written;  // as in Pair
};
GoldOverTokens read_gold(const GoldColumn& column, const GoldSide& source, const GoldSide& target,
                         std::size_t first_word);

std::vector<std::string> parse_tags(const std::string& text, const std::string& where);

// Returns whether `what` has too many words, so the reader leaves it out. The corpus counts left-out items.
bool is_dropped(Corpus& corpus, std::size_t words, const CorpusOptions& options, const char* what,
                const std::string& where);

// Throws Error if every line was left out.
void check_any_left(const Corpus& corpus, const std::string& path, std::size_t max_length, const char* what = "pairs");

}  // namespace softalign::data
