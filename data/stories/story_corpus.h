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

// The answer, one word by `options.target`, is the target, and gold becomes its sure links. Error, with file and line:
// as read_tsv; a sentence or question without words; an answer of no or several words; gold that is repeated or is no
// sentence of the story.
Corpus read_stories(const std::string& path, const CorpusOptions& options = {});

// A line of such a file, without its end.
std::string format_story(const std::vector<Tokens>& sentences, const Tokens& question, const std::string& answer,
                         const std::vector<std::size_t>& gold);

}  // namespace softalign::data
