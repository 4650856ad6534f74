// This file reads pairs of sentences with a label: `premise<TAB>hypothesis<TAB>label[<TAB>links[<TAB>tags]]`. The label
// says whether the hypothesis follows from the premise. Links connect words of the premise and the hypothesis, in the
// form of data/corpus/pharaoh.h.
#pragma once

#include <string>

#include "data/alignment/record.h"
#include "data/corpus/corpus.h"

namespace softalign::data {

inline constexpr const char* pair_mark = "|";  // separates premise and hypothesis

// Makes premise and hypothesis the source of a pair. The positions of the source are the words of both, with a
// separator between them. Throws Error, starting with `where`, if one of them has no words, or contains the separator.
void set_premise(Pair& pair, const std::string& premise, const std::string& hypothesis, const Tokenize& tokenize,
                 const std::string& where);

// Reads a file of sentence pairs. The label becomes the target, which is one word, and `between` gets the links. Throws
// Error, with file and line, like read_tsv and set_premise, and for a label that is not exactly one word.
Corpus read_sentence_pairs(const std::string& path, const CorpusOptions& options = {});

// Returns a line of a file of sentence pairs, without its line end.
std::string format_sentence_pair(const Tokens& premise, const Tokens& hypothesis, const std::string& label,
                                 const Links& between);

// Returns the attention from the n words of the hypothesis to the m words of the premise, as n rows and m columns. The
// weights must come from a pair with a separator, whose first head attends to the other sentence. Otherwise the result
// is empty.
Matrix attention_across(const AttentionWeights& weights, std::size_t m, std::size_t n);

// Returns a record with the attention from the hypothesis to the premise. Throws std::invalid_argument if the record
// has no such attention.
Record record_across(const Record& record);

}  // namespace softalign::data
