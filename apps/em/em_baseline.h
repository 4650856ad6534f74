// This file computes the baseline for the alignments of a trained model. The baseline has the word links that
// expectation maximisation (EM) learns from the same training pairs. Words were aligned in this way before attention.
#pragma once

#include <string>
#include <vector>

#include "apps/inference/evaluation.h"

namespace softalign::apps {

// Sets em_links of every pair that has gold links. The function reads the training pairs that the run's configuration
// names, and splits them with the run's tokeniser. EM learns links in both directions, and the default rule of the
// program `links` joins both. If the training pairs cannot be read or have changed since the training, the function
// sets no links and returns a note. If an earlier build trained the run and nothing shows whether the pairs have
// changed, it sets the links and returns a note. In all other cases, it returns "".
std::string add_em_links(std::vector<EvaluatedPair>& pairs, const Run& run, const RunFolder& folder);

}  // namespace softalign::apps
