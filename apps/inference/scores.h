// align --scores: what a record's weights are the softmax of.
#pragma once

#include <vector>

#include "apps/run/run_folder.h"
#include "data/alignment/record.h"
#include "data/corpus/batches.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

// UsageError: a run whose records have no scores: an ensemble, a model whose weights are no softmax, or one that cuts
// words into pieces, unless `pieces` are what is aligned.
void check_scores(const Run& run, bool pieces);

// Fills the record's scores and norms: `pair`, the ids of its words, is decoded once more. And those of the records of
// these pairs.
void add_scores(data::Record& record, const Run& run, const data::EncodedPair& pair);
void add_scores(std::vector<data::Record>& records, const Run& run, const std::vector<data::Pair>& pairs);

}  // namespace softalign::apps
