// These functions read files of sentence pairs and of texts. Readers of other corpora are in the folders of their
// subjects, for example data/stories/story_corpus.h.
#pragma once

#include <string>

#include "data/corpus/corpus.h"

namespace softalign::data {

// read_tsv and read_parallel read sentence pairs. read_tsv also reads fast_align's form, `source ||| target`. In the
// file, gold links connect the words of the lines (split_words). Both functions convert them to links between the
// tokens of these words. They refuse a link to a word without a token.
//
// They throw Error if the text is not UTF-8, if a line has no tab or more than four columns, or if a link or tag is
// malformed. They also throw Error if the files have different numbers of lines, or if no pair is left. CorpusOptions
// says whether blank and long sentences are errors. The message names file and line.
Corpus read_tsv(const std::string& path, const CorpusOptions& options = {});
Corpus read_parallel(const std::string& source_path, const std::string& target_path,
                     const std::string& alignment_path = "", const CorpusOptions& options = {});

// Reads texts for a language model, one per line. Each text becomes the target of a pair whose source is empty. If a
// line has several columns, as in a TSV file, the function reads the second column. If `first_column` is true, it reads
// the first column instead. If the first two columns have the same text, the third column may have gold links between
// words of this text. The function ignores blank lines, except with Blank::keep. Throws Error like read_tsv.
Corpus read_texts(const std::string& path, bool first_column, const CorpusOptions& options = {});

}  // namespace softalign::data
