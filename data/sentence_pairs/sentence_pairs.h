// This file reads pairs of sentences with a label: `premise<TAB>hypothesis<TAB>label[<TAB>links[<TAB>tags]]`. The label
// says whether the hypothesis follows from the premise. Links connect words of the premise and the hypothesis, in the
// format of data/corpus/pharaoh.h. Tags are any words that put the pair into groups, for separate results.
#pragma once

#include <string>

#include "data/alignment/record.h"
#include "data/corpus/corpus.h"

namespace softalign::data {

inline constexpr const char* pair_mark = "|";  // separates premise and hypothesis

// Sets the source of a pair to the words of the premise and the hypothesis. The model attends to these words and to a
// separator between them. Throws Error if a sentence has no words or contains the separator. The message starts with
// `where`.
void set_premise(Pair& pair, const std::string& premise, const std::string& hypothesis, const Tokenize& tokenize,
                 const std::string& where);

// Reads a file in which each line has two sentences and a label. The label, which is one word, becomes the target of
// the pair. Links between the two sentences are stored in Pair::between. Throws Error like read_tsv and set_premise,
// and for a label that is not exactly one word. The message names file and line.
Corpus read_sentence_pairs(const std::string& path, const CorpusOptions& options = {});

// Returns a line of a file of sentence pairs, without its line end.
std::string format_sentence_pair(const Tokens& premise, const Tokens& hypothesis, const std::string& label,
                                 const Links& between);

// Returns the attention from the n words of the hypothesis to the m words of the premise, as n rows and m columns. It
// reads the first head of `weights`, which must have encoder self-attention over the premise, the separator and the
// hypothesis. Otherwise the result is empty.
Matrix attention_across(const AttentionWeights& weights, std::size_t m, std::size_t n);

// Returns a record whose target is the hypothesis and whose source is the premise, so that it shows the attention
// between the two sentences. `record` is the record of the sentence pair. Throws std::invalid_argument if `record` has
// no attention between the two sentences.
Record record_across(const Record& record);

}  // namespace softalign::data
