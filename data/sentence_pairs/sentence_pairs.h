// Pairs of sentences with what one says of the other, `premise<TAB>hypothesis<TAB>label[<TAB>links[<TAB>tags]]`. Links
// are those between premise and hypothesis, as of data/corpus/links.h.
#pragma once

#include <string>

#include "data/alignment/record.h"
#include "data/corpus/corpus.h"

namespace softalign::data {

inline constexpr const char* pair_mark = "|";  // stands for a place between the words of both

// Makes premise and hypothesis the source of a pair, its places the words of both with the mark between them.
// Error, beginning with `where`: one of them has no words, or such a mark among them.
void set_premise(Pair& pair, const std::string& premise, const std::string& hypothesis, const Tokenize& tokenize,
                 const std::string& where);

// The label, of one word by `options.target`, is the target; `between` the links. Error, naming file and
// line: as of read_tsv, and of set_premise; a label of none or several words.
Corpus read_sentence_pairs(const std::string& path, const CorpusOptions& options = {});

// A line of such a file, without its end.
std::string format_sentence_pair(const Tokens& premise, const Tokens& hypothesis, const std::string& label,
                                 const Links& between);

// Where each word of the hypothesis attends in the premise, for a pair with a mark between its m and n words whose
// first head attends across: the rows of the n words over the columns of the m. Empty if there is no such head or mark.
Matrix attention_across(const AttentionWeights& weights, std::size_t m, std::size_t n);

// The record of this attention. std::invalid_argument: it has none.
Record record_across(const Record& record);

}  // namespace softalign::data
