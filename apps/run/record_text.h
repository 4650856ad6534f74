// What a record tells of the user's own text: the lines, where in them each word stands, which words are unknown.
#pragma once

#include "apps/run/run_text.h"
#include "data/alignment/record.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

// What a record is over: words, or of a run with --tokenizer sentencepiece its pieces.
enum class Tokens { words, pieces };

// Fills source_original, target_original, unknown and tags of the record of a pair. A side whose line does not give the
// pair's words by the run's tokeniser has no original.
void add_text(data::Record& record, const Run& run, const data::Pair& pair, Tokens tokens = Tokens::words);

// The same of a free translation, over words; its target line is the sentence that a person reads, with the places of
// the record's target words in it.
void add_text(data::Record& record, const Run& run, const SourceText& source, const data::Original& sentence);

}  // namespace softalign::apps
