// Pairs of sentences with a label, `premise<TAB>hypothesis<TAB>label[<TAB>links[<TAB>tags]]`. Links connect premise and
// hypothesis, in the format of data/corpus/pharaoh.h.
#pragma once

#include <string>

#include "data/alignment/record.h"
#include "data/corpus/corpus.h"

namespace softalign::data {

inline constexpr const char* pair_mark = "|";  // stands for a place between the words of both

// Makes premise and hypothesis the source of a pair. Its positions are the words of both, with a separator between
// them. Throws an Error that starts with `where` if one of them has no words, or contains the separator.
void set_premise(Pair& pair, const std::string& premise, const std::string& hypothesis, const Tokenize& tokenize,
                 const std::string& where);

// The label, one word by `options.target`, is the target, and `between` has the links. Error, with file and line: as
// read_tsv and set_premise, and for a label of no or several words.
Corpus read_sentence_pairs(const std::string& path, const CorpusOptions& options = {});

// A line of such a file, without its end.
std::string format_sentence_pair(const Tokens& premise, const Tokens& hypothesis, const std::string& label,
                                 const Links& between);

// The attention of each word of the hypothesis to the premise, for a pair of m and n words with a separator and a first
// head across the sentences. The result has n rows and m columns. It is empty if there is no such head or separator.
Matrix attention_across(const AttentionWeights& weights, std::size_t m, std::size_t n);

// The record of this attention. std::invalid_argument: it has none.
Record record_across(const Record& record);

}  // namespace softalign::data
