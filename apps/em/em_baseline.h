// The baseline of a run's alignments: links that expectation-maximisation learns from the pairs that the run was
// trained on, which is how words were aligned before there was attention.
#pragma once

#include <string>
#include <vector>

#include "apps/inference/evaluation.h"

namespace softalign::apps {

// Gives every pair that has gold its em_links: both directions, joined by the default rule of program links, learnt
// from the training pairs that the run's configuration names, tokenised as for the run. Where those cannot be read, or
// are not what the run was trained on, nothing is given. Result: a note that says so, or that the pairs of a run of an
// earlier build could not be checked; otherwise "".
std::string add_em_links(std::vector<EvaluatedPair>& pairs, const Run& run, const RunFolder& folder);

}  // namespace softalign::apps
