// Parallel corpora as files: one pair per line, `source<TAB>target[<TAB>alignment[<TAB>tags]]`, or two or three plain
// files side by side. The alignment is in Pharaoh form (data/corpus/pharaoh.h) and the tags are separated by commas.
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

// The original gold links of a pair, over the words of both lines (split_words). They are stored if the tokens are not
// these words, because a tokeniser has split a word into several tokens, or removed it.
struct WrittenGold {
  Gold gold;
  std::vector<std::size_t> source, target;  // the word that each token is part of
  bool operator==(const WrittenGold&) const = default;
};

// One sentence pair, or whatever else something was written from. A pair without gold has no alignment column, or an
// empty one.
struct Pair {
  Tokens source, target;     // words
  std::optional<Gold> gold;  // over the tokens: a link between two words is one between all of their tokens
  std::vector<std::string> tags;
  std::size_t line = 0;                            // where it stands in its file, from 1; 0 for a pair from elsewhere
  std::string source_line = {}, target_line = {};  // the sides as they were written; empty for a pair from elsewhere
  Tokens places = {};  // the positions that attention has over its source, if not its words and </s>:
                       // the cells of a picture, the sentences of a story; gold counts these
  std::shared_ptr<const Picture> picture = {};  // a source that is one has no words
  // The words of each part, if the source has several parts, such as a story and its question. The target of such a
  // source is one word, the answer.
  std::vector<std::size_t> parts = {};
  std::string question = {};  // as it was written
  Gold between = {};          // gold links between the tokens of the two parts, of a premise and a hypothesis
  bool blank = false;         // one side, or both, has no words, so there is nothing to align (Blank::keep)
  std::optional<WrittenGold> written = {};  // none if there is no gold, or if every word of the lines is one token
};

// The gold of a pair with gold, over the words of its lines; and a function that maps links between tokens to these
// words, sorted and without repetition. AER compares the two.
const Gold& gold_over_words(const Pair& pair);
Links links_over_words(const Links& links, const Pair& pair);

// The number of positions of its source that attention uses, without </s>: its cells or sentences, or its words.
inline const Tokens& places_of(const Pair& pair) { return pair.places.empty() ? pair.source : pair.places; }

// The pairs of a file, in its order.
struct Corpus {
  std::vector<Pair> pairs;
  std::size_t dropped = 0;  // pairs left out because they were too long
  std::size_t blank = 0;    // pairs left out because a side of them has no words
  std::string note = {};    // what may be wrong with the file as a whole, for standard error, in whole lines; or empty
};

// The function that splits a sentence into tokens (data/text/tokenizer.h). If it is not set, the sentence is tokenised
// already, and split_words splits it.
using Tokenize = std::function<Tokens(std::string_view)>;

enum class TooLong { refuse, drop };

// The rule for a pair that has a side without words, and for a blank line. refuse: an error. drop: it is left out and
// counted, as in training. keep: it is kept with Pair::blank set, so that n lines give n pairs.
enum class Blank { refuse, drop, keep };

struct CorpusOptions {
  Tokenize source, target;
  std::size_t max_length = std::numeric_limits<std::size_t>::max();  // words of either side, </s> not counted
  TooLong too_long = TooLong::refuse;  // training drops longer pairs; elsewhere they are an error
  std::string cure = "shorten it or raise the limit (--max-length)";  // said of a line that is refused for its length
  std::size_t first_word = 0;                                         // that gold links count from, 0 or 1
  Blank blank = Blank::refuse;
};

// Both throw Error, naming file and line: not UTF-8, no tab, an empty side (unless dropped or kept), more
// than four columns, a bad link or tag, a pair that is too long (unless dropped), files of different length, no pair
// left. Gold links count the words of the lines (split_words), whatever the tokeniser makes of them. They become links
// between the tokens of these words. A link to a word that the tokeniser leaves no token of is refused.
Corpus read_tsv(const std::string& path, const CorpusOptions& options = {});
Corpus read_parallel(const std::string& source_path, const std::string& target_path,
                     const std::string& alignment_path = "", const CorpusOptions& options = {});

// Plain text with one text per line, each as the target of an empty source. From the lines of a TSV file, it reads the
// second column, or the first if `first_column`, and gold if both are equal. Blank lines are ignored, unless
// Blank::keep keeps them. Error as above.
Corpus read_texts(const std::string& path, bool first_column, const CorpusOptions& options = {});

// The text of a TSV file with these pairs: tokens joined by a space, columns up to the last that any pair needs.
// std::invalid_argument for a pair that read_tsv would not give back (an empty side, a tab or white space in a token).
std::string format_tsv(const std::vector<Pair>& pairs);

// The words of a line, between spaces and tabs (parts_words in data/io/unicode.h), and tokens joined by single spaces.
// This is what gold links, formats of alignments and every program mean by the words of a line.
Tokens split_words(std::string_view text);
std::string join_words(const Tokens& tokens);

}  // namespace softalign::data
