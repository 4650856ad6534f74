// A parallel corpus is one file with one pair per line, `source<TAB>target[<TAB>alignment[<TAB>tags]]`, or two or three
// plain files with corresponding lines. The alignment is in Pharaoh form (data/corpus/pharaoh.h). Commas separate the
// tags.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/corpus/links.h"
#include "data/corpus/picture.h"

namespace softalign::data {

using Tokens = std::vector<std::string>;

// WrittenGold has the original gold links of a pair, over the words of both lines (split_words). The reader stores them
// if the tokens are not these words, because a tokeniser has split a word into several tokens, or removed it.
struct WrittenGold {
  Gold gold;
  std::vector<std::size_t> source, target;  // the word that each token is part of
  bool operator==(const WrittenGold&) const = default;
};

// A Pair is one sentence pair. The source may also be a picture, a story or another input. A pair without gold links
// has no alignment column, or an empty one.
struct Pair {
  Tokens source, target;     // words
  std::optional<Gold> gold;  // over the tokens: a link between two words is one between all of their tokens
  std::vector<std::string> tags;
  std::size_t line = 0;                            // its line in the file, from 1; 0 without a file
  std::string source_line = {}, target_line = {};  // the sides in the file; empty without a file
  Tokens places = {};  // the positions that attention has over its source, if not its words and </s>:
                       // the cells of a picture, the sentences of a story; gold counts these
  std::shared_ptr<const Picture> picture = {};  // a source that is a picture has no words
  // parts has the words of each part, if the source has several parts, such as a story and its question. The target of
  // such a source is one word, the answer.
  std::vector<std::size_t> parts = {};
  std::string question = {};  // as in the file
  Gold between = {};          // gold links between the tokens of the two parts, of a premise and a hypothesis
  bool blank = false;         // one side, or both, has no words, so there is nothing to align (Blank::keep)
  std::optional<WrittenGold> written = {};  // none if there is no gold, or if every word of the lines is one token
};

// gold_over_words returns the gold links of a pair over the words of its lines. The second function maps links between
// tokens to these words, sorted and without repetition. AER compares the two.
const Gold& gold_over_words(const Pair& pair);
Links links_over_words(const Links& links, const Pair& pair);

// Returns the positions of a pair's source that attention uses, without </s>. These are its cells or sentences, or its
// words.
inline const Tokens& places_of(const Pair& pair) { return pair.places.empty() ? pair.source : pair.places; }

// A Corpus has the pairs of a file, in the order of the file.
struct Corpus {
  std::vector<Pair> pairs;
  std::size_t dropped = 0;  // pairs left out because they were too long
  std::size_t blank = 0;    // pairs left out because a side of them has no words
  std::string note = {};    // warning about the file for standard error, in complete lines; or empty
};

// Tokenize is a function that splits a sentence into tokens (data/text/tokenizer.h). If it is not set, the sentence is
// tokenised already, and split_words splits it.
using Tokenize = std::function<Tokens(std::string_view)>;

enum class TooLong { refuse, drop };

// Blank is the rule for a pair that has a side without words, and for a blank line. With refuse, it is an error. With
// drop, the reader leaves it out and counts it, as in training. With keep, the reader keeps it and sets Pair::blank, so
// that n lines give n pairs.
enum class Blank { refuse, drop, keep };

struct CorpusOptions {
  Tokenize source, target;
  std::size_t max_length = std::numeric_limits<std::size_t>::max();  // words of either side, </s> not counted
  TooLong too_long = TooLong::refuse;  // training drops longer pairs; elsewhere they are an error
  std::string cure = "shorten it or raise the limit (--max-length)";  // advice about a line that is too long
  std::size_t first_word = 0;                                         // that gold links count from, 0 or 1
  Blank blank = Blank::refuse;
};

// Both functions throw Error for bad text: it is not UTF-8, a line has no tab or more than four columns, or a link or
// tag is malformed. They also throw Error for files of different length, or if no pair is left. CorpusOptions say
// whether a side that is empty, or a pair that is too long, is an error. The message names file and line. Gold links
// count the words of the lines (split_words), whatever the tokens are. The functions convert them to links between the
// tokens of these words. They refuse a link to a word without a token.
Corpus read_tsv(const std::string& path, const CorpusOptions& options = {});
Corpus read_parallel(const std::string& source_path, const std::string& target_path,
                     const std::string& alignment_path = "", const CorpusOptions& options = {});

// Reads plain text with one text per line. Each text is the target of an empty source. From the lines of a TSV file, it
// reads the second column, or the first if `first_column`, and gold links if both are equal. It ignores blank lines,
// unless Blank::keep keeps them. Throws Error like read_tsv.
Corpus read_texts(const std::string& path, bool first_column, const CorpusOptions& options = {});

// Returns the text of a TSV file with these pairs. It joins tokens by a space, and writes columns up to the last that
// any pair needs. Throws std::invalid_argument for a pair that read_tsv could not restore (an empty side, a tab or
// white space in a token).
std::string format_tsv(const std::vector<Pair>& pairs);

// Returns the words of a line, between spaces and tabs (parts_words in data/io/unicode.h). The second function joins
// tokens by single spaces. Gold links, alignment formats and all programs use this definition of a line's words.
Tokens split_words(std::string_view text);
std::string join_words(const Tokens& tokens);

}  // namespace softalign::data
