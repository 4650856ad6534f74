// This file finds links for a corpus without links. It learns them from the pairs of the corpus only.
#pragma once

#include <vector>

#include "data/alignment/em/em_aligner.h"

namespace softalign::data {

// Returns the links between the tokens of each pair. The program `links` finds the same links by default: EM in both
// directions, leave-one-out, and links by agreement (data/alignment/symmetrisation.h). A pair that is blank or too long
// has no links.
std::vector<Links> learn_links(const std::vector<Pair>& pairs, const EmOptions& options = {});

}  // namespace softalign::data
