// A parallel corpus has sentences with their translations. It has one of two formats. The first format is one file with
// one pair per line, `source<TAB>target[<TAB>alignment[<TAB>tags]]`. The second format is two plain files with
// corresponding lines, and optionally a file of alignments. data/corpus/pharaoh.h describes how links are written.
// Commas separate the tags.
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

// WrittenGold has the gold links as the file has them, between the words of both lines (split_words). The reader stores
// them if the tokeniser has split a word into several tokens, or has removed a word.
struct WrittenGold {
  Gold gold;
  std::vector<std::size_t> source, target;  // the word that each token is part of
  bool operator==(const WrittenGold&) const = default;
};

// A Pair is one sentence pair. The source may also be a picture, a story or another input. A pair without gold links
// has no column for the alignment, or an empty one.
struct Pair {
  Tokens source, target;     // words
  std::optional<Gold> gold;  // between tokens: a link between two words links all of their tokens
  std::vector<std::string> tags;
  std::size_t line = 0;                            // the line in the file, from 1; 0 without a file
  std::string source_line = {}, target_line = {};  // both sides as the file has them; empty without a file
  // `places` has the source positions for attention if these are not words: the cells of a picture or the sentences of
  // a story. The source numbers of gold links are then these positions.
  Tokens places = {};
  std::shared_ptr<const Picture> picture = {};  // a source that is a picture has no words
  // `parts` has the number of words of each part of the source. Only sources with several parts have it, for example a
  // story with its question. The target of such a source is one word, the answer.
  std::vector<std::size_t> parts = {};
  std::string question = {};  // the question, as the file has it
  Gold between = {};          // gold links between the tokens of premise and hypothesis
  bool blank = false;         // one side, or both, has no words, so there is nothing to align (Blank::keep)
  std::optional<WrittenGold> written = {};  // none if there is no gold, or if every word of the lines is one token
};

// The words of a line are separated by spaces, and the tokeniser may split a word into several tokens. gold_over_words
// returns the gold links between words. links_over_words converts a model's links between tokens to links between
// words, sorted and without repetition. The alignment error rate (AER) compares the links of both functions.
const Gold& gold_over_words(const Pair& pair);
Links links_over_words(const Links& links, const Pair& pair);

// Returns the positions of a pair's source to which a model attends, without </s>. These are its words, the cells of a
// picture, or the sentences of a story.
inline const Tokens& places_of(const Pair& pair) { return pair.places.empty() ? pair.source : pair.places; }

// A Corpus has the pairs of a file, in the order of the file.
struct Corpus {
  std::vector<Pair> pairs;
  std::size_t dropped = 0;  // pairs left out because they were too long
  std::size_t blank = 0;    // pairs left out because one of their sides has no words
  std::string note = {};    // warning about the file for standard error, in complete lines; or empty
};

// Tokenize is a function that splits a sentence into tokens (data/text/tokenizer.h). If it is not set, split_words
// splits the sentence at spaces, because the sentence is already tokenised.
using Tokenize = std::function<Tokens(std::string_view)>;

enum class TooLong { refuse, drop };

// Blank says what a reader does with blank lines, and with pairs whose source or target has no words. With `refuse`,
// they are an error. With `drop`, the reader leaves them out and counts them, as in training. With `keep`, the reader
// keeps them and sets Pair::blank, so n lines give n pairs.
enum class Blank { refuse, drop, keep };

struct CorpusOptions {
  Tokenize source, target;
  std::size_t max_length = std::numeric_limits<std::size_t>::max();  // largest number of words per side, without </s>
  TooLong too_long = TooLong::refuse;  // training drops longer pairs; elsewhere they are an error
  std::string cure = "shorten it or raise the limit (--max-length)";  // advice about a line that is too long
  std::size_t first_word = 0;  // the number of the first word in gold links, 0 or 1
  Blank blank = Blank::refuse;
};

// Returns the pairs as the text of a TSV file. Tokens are joined by a space. The function writes no more columns than
// the pairs need. Throws std::invalid_argument if read_tsv (readers.h) could not restore a pair, because its source or
// target is empty, or a token contains a tab or white space.
std::string format_tsv(const std::vector<Pair>& pairs);

// split_words returns the words of a line, which are separated by spaces and tabs (parts_words in data/io/unicode.h).
// join_words joins words by single spaces. Gold links, alignment formats and all programs use this definition of words.
Tokens split_words(std::string_view text);
std::string join_words(const Tokens& tokens);

}  // namespace softalign::data
