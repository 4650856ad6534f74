// A lexicon has the most probable translation of each source word. It is computed from the links of aligned sentences.
// Programs use it to replace unknown words: attention finds the source word of an unknown target word, and the lexicon
// has its translation.
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
using Lexicon = std::map<std::string, Translation>;  // source word -> its translation

// LinkCounts counts the links c(s, t) between each source word s and each target word t. The probability of a
// translation is p(t | s) = c(s, t) / sum_t' c(s, t').
class LinkCounts {
 public:
  void add(const Tokens& source, const Tokens& target, const Links& links);
  // Returns the most probable translation of each source word that has a link. If several are equally probable, it
  // takes the first in byte order.
  Lexicon lexicon() const;

 private:
  std::map<std::string, std::map<std::string, std::size_t>> counts_;
};

// format_lexicon returns one entry per line, `source<TAB>target<TAB>probability`, in byte order. read_lexicon accepts
// any order. It throws Error for other columns, a word that is empty or contains white space, a repeated source word,
// or a probability outside of 0 .. 1. The message names file and line.
std::string format_lexicon(const Lexicon& lexicon);
Lexicon read_lexicon(const std::string& path);

// A TableRow has the probability p(target word | source word). A source word may have several rows. If the source word
// is "", the row is for target words that translate no source word.
struct TableRow {
  std::string source, target;
  double probability = 0;
};
// Reads the table that `links --table` writes. It has the format of a lexicon. Throws Error like read_lexicon.
std::vector<TableRow> read_table(const std::string& path);

// Replaces each <unk> in the target by a translation of the source word with the largest attention weight. If the
// lexicon does not have the source word, the function copies the source word, which is right for names and numbers. See
// Luong, Sutskever et al. 2015, "Addressing the Rare Word Problem in Neural Machine Translation", section 3, and
// Jean et al. 2015, "On Using Very Large Target Vocabulary for Neural Machine Translation".
//
// The function ignores the weight of the source's </s>. If several weights are equal, it takes the first word. A record
// without source words keeps its <unk>. Returns the number of replaced words. Throws std::invalid_argument for a record
// without attention, or if the rows of weights belong to the words that the decoder reads (Attends::input).
std::size_t replace_unknown(Record& record, const Lexicon& lexicon);

}  // namespace softalign::data
