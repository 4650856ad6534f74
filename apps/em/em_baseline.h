// This file computes links for comparison with the alignments of a trained model. Expectation maximisation (EM) learns
// these word links from the same training pairs. Before attention was invented, EM was the usual method of word
// alignment.
#pragma once

#include <string>
#include <vector>

#include "apps/inference/evaluation.h"

namespace softalign::apps {

// Computes the EM links of each pair that has gold links, and stores them in em_links. Pairs that are too long for EM
// get none. EM learns from the training pairs that the run's configuration names, split by the run's tokeniser. It
// aligns both directions, and the default rule of the program `links` combines them. Returns "" or a note for the user.
// If the training pairs cannot be read or have changed since the training, no links are stored, and the note says why.
// A run of an earlier build may have no hash of its training pairs, so nothing shows whether they have changed. The
// links of such a run are stored, and a note says that the pairs were not checked.
std::string add_em_links(std::vector<EvaluatedPair>& pairs, const LoadedRun& run, const RunFolder& folder);

}  // namespace softalign::apps
