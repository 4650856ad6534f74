// Records whose matrix is the attention of the run's alignment layer (models/alignment). The decoder's own attention
// becomes a further head of kind `decoder`.
#pragma once

#include <vector>

#include "apps/run/inference.h"
#include "apps/run/run_folder.h"
#include "data/alignment/record.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

// Of forced decoding of these pairs, none of them blank. With subwords a source word's weight is spread evenly over its
// subwords, and each subword of a target word has the row of its word. Nothing changes for a run without such a layer.
void set_layer_matrix(std::vector<TeacherForcedPair>& forced, const Run& run, const std::vector<data::Pair>& pairs);

// Of the record, over words, of a free translation. A word <unk> has no letters that the layer could read, so its row
// stays the decoder's.
void set_layer_matrix(data::Record& record, const Run& run);

// Fills the scores of a record whose matrix is the layer's, those of which the weights are the softmax. Those that the
// record has already are the decoder's, and go to its head.
void set_layer_scores(data::Record& record, const Run& run);

}  // namespace softalign::apps
