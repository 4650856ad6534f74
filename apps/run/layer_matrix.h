// Records whose matrix is the attention of the run's alignment layer (models/alignment). The decoder's own attention
// becomes a further head of kind `decoder`.
#pragma once

#include <vector>

#include "apps/run/inference.h"
#include "apps/run/run_folder.h"
#include "data/alignment/record.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

// Puts the layer's weights into the results of forced decoding of these pairs. No pair is blank. With subwords, the
// weight of a source word is spread evenly over its subwords, and each subword of a target word has the row of its
// word. Nothing changes for a run without a layer.
void set_layer_matrix(std::vector<TeacherForcedPair>& teacher_forced, const Run& run,
                      const std::vector<data::Pair>& pairs);

// Puts the layer's weights into the record, over words, of a free translation. The layer cannot read the word <unk>, so
// the row of <unk> stays the decoder's.
void set_layer_matrix(data::Record& record, const Run& run);

// Fills the scores of a record whose matrix is the layer's. The layer's weights are the softmax of these scores. Scores
// that the record has already are the decoder's, so they move to the decoder's head.
void set_layer_scores(data::Record& record, const Run& run);

}  // namespace softalign::apps
