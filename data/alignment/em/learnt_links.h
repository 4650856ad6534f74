// Links for a corpus without links, learned from its pairs only.
#pragma once

#include <vector>

#include "data/alignment/em/em_aligner.h"

namespace softalign::data {

// The links between the tokens of each pair, as program `links` finds them by default: EM in both directions,
// leave-one-out, and links by agreement (data/alignment/symmetrisation.h). A pair that is blank or too long has no
// links.
std::vector<Links> learn_links(const std::vector<Pair>& pairs, const EmOptions& options = {});

}  // namespace softalign::data
