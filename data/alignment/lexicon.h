// A lexical table has the most probable translation of each source word. It counts links. Programs use it to translate
// unknown words: attention finds the source word of an unknown target word.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "data/alignment/record.h"
#include "data/corpus/corpus.h"

namespace softalign::data {

struct Translation {
  std::string word;
  double probability = 0;  // p(word | source word), in 0 .. 1
};
using Lexicon = std::map<std::string, Translation>;  // by source word

// p(t | s) = c(s, t) / sum_t' c(s, t'), where c(s, t) counts the links between the words s and t.
class LinkCounts {
 public:
  void add(const Tokens& source, const Tokens& target, const Links& links);
  // Returns the t with the largest p(t | s) for each s that has a link. If several are equal, it takes the first in the
  // order of bytes.
  Lexicon lexicon() const;

 private:
  std::map<std::string, std::map<std::string, std::size_t>> counts_;
};

// format_lexicon returns one entry per line, `source<TAB>target<TAB>probability`, in the order of bytes. read_lexicon
// accepts any order. It throws Error for other columns, a word that is empty or contains white space, a repeated source
// word, or a probability outside 0 .. 1. The message names file and line.
std::string format_lexicon(const Lexicon& lexicon);
Lexicon read_lexicon(const std::string& path);

// A TableRow has p(target word | source word). A source word may have several rows. "" is the source of target words
// without a source word.
struct TableRow {
  std::string source, target;
  double probability = 0;
};
// Reads the table that `links --table` writes, in the format of a lexicon. Throws Error like read_lexicon.
std::vector<TableRow> read_table(const std::string& path);

// Replaces each <unk> among the target words by a translation of the source word with the largest attention weight
// (without </s>; the first if several are equal). If the lexicon has the source word, it provides the translation.
// Otherwise, the source word itself replaces <unk>, which is right for names and numbers (Luong, Sutskever et al. 2015,
// "Addressing the Rare Word Problem in Neural Machine Translation", section 3; Jean et al. 2015, "On Using Very Large
// Target Vocabulary for Neural Machine Translation"). Returns how many words were replaced. A record without source
// words keeps its <unk>. Throws std::invalid_argument for a record without attention, or if rows belong to the words
// that the decoder reads.
std::size_t replace_unknown(Record& record, const Lexicon& lexicon);

}  // namespace softalign::data
