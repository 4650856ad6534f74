// The baseline for a run's alignments: links that expectation maximisation learns from the run's training pairs. This
// is how words were aligned before attention.
#pragma once

#include <string>
#include <vector>

#include "apps/inference/evaluation.h"

namespace softalign::apps {

// Sets em_links of every pair with gold. The links of both directions are learned from the training pairs that the
// run's configuration names, tokenised as for the run, and joined by the default rule of program `links`. If these
// pairs cannot be read, or if the run was trained on others, there are no links. The result is a note about this, or
// about a run of an earlier build whose pairs cannot be checked; otherwise "".
std::string add_em_links(std::vector<EvaluatedPair>& pairs, const Run& run, const RunFolder& folder);

}  // namespace softalign::apps
