// Stories with a question and its answer, `sentence | sentence<TAB>question<TAB>answer[<TAB>gold[<TAB>tags]]`. Gold
// lists the sentences that support the answer, by their numbers from 0, separated by spaces.
#pragma once

#include <string>
#include <vector>

#include "data/corpus/corpus.h"

namespace softalign::data {

// Makes sentences and a question the source of a pair. Its positions are the sentences. Throws an Error that starts
// with `where` if there is no sentence, or if a sentence or the question has no words.
void set_story(Pair& pair, const std::vector<std::string>& sentences, const std::string& question,
               const Tokenize& tokenize, const std::string& where);

// The answer, of one word by `options.target`, is the target, and gold its sure links. Error, naming file
// and line: as of read_tsv; a sentence or a question without words, an answer of none or several, gold that is no
// sentence of its story or is given twice.
Corpus read_stories(const std::string& path, const CorpusOptions& options = {});

// A line of such a file, without its end.
std::string format_story(const std::vector<Tokens>& sentences, const Tokens& question, const std::string& answer,
                         const std::vector<std::size_t>& gold);

}  // namespace softalign::data
