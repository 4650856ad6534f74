// A run may have an alignment layer (models/alignment), which is trained only to align words. This file puts the
// attention weights of this layer into the matrix of an alignment record. It combines them with the decoder's own
// attention, unless LoadedRun::layer_share is 1 or the decoder has no attention. The decoder's own attention also
// becomes a head of the kind `decoder` in the record. Both attentions are combined word by word, so subwords are merged
// first.
#pragma once

#include <vector>

#include "apps/run/batched_inference.h"
#include "apps/run/run_folder.h"
#include "data/alignment/record.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

// Returns the decoder's attention of a pair over words. With subwords, `decoder` is over subwords. It may be empty.
data::Matrix over_words(const data::Matrix& decoder, const LoadedRun& run, const data::Pair& pair);

// Puts the weights of the alignment layer, or the combined weights, into the results of teacher forcing. None of the
// pairs may be blank. With subwords, the weight of a source word is divided equally among its subwords. Each subword of
// a target word has the row of its word. Nothing changes for a run without an alignment layer.
void set_layer_matrix(std::vector<TeacherForcedPair>& teacher_forced, const LoadedRun& run,
                      const std::vector<data::Pair>& pairs);

// Puts the layer's or the combined weights into the record of a translation that the model found. The record must have
// words, not subwords. The layer cannot read the token <unk>, so the row of <unk> keeps the decoder's weights.
void set_layer_matrix(data::Record& record, const LoadedRun& run);

// Computes the scores of a record whose matrix comes from the alignment layer, or from both attentions. The softmax of
// these scores gives the matrix. If the record already has scores, they belong to the decoder and move to the decoder's
// head.
void set_layer_scores(data::Record& record, const LoadedRun& run);

}  // namespace softalign::apps
