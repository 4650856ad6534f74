// This file reads stories with a question and its answer. A line has the form `sentence |
// sentence<TAB>question<TAB>answer[<TAB>gold[<TAB>tags]]`. The column `gold` has the numbers of the sentences that
// support the answer, counted from 0 and separated by spaces. Tags are any words that put the story into groups, for
// separate results.
#pragma once

#include <string>
#include <vector>

#include "data/corpus/corpus.h"

namespace softalign::data {

// Sets the source of a pair to the sentences of a story and a question. The model attends to the sentences. Throws
// Error if there is no sentence, or if a sentence or the question has no words. The message starts with `where`.
void set_story(Pair& pair, const std::vector<std::string>& sentences, const std::string& question,
               const Tokenize& tokenize, const std::string& where);

// Reads a file of stories. The answer becomes the target of the pair, which is one word. The numbers in the column
// `gold` become sure links of this word. Throws Error like read_tsv. Also throws Error for a sentence or question
// without words, for an answer that is not exactly one word, and for a number in `gold` that is repeated or is not a
// sentence of the story. The message names file and line.
Corpus read_stories(const std::string& path, const CorpusOptions& options = {});

// Returns a line of a file of stories, without its line end.
std::string format_story(const std::vector<Tokens>& sentences, const Tokens& question, const std::string& answer,
                         const std::vector<std::size_t>& gold);

}  // namespace softalign::data
