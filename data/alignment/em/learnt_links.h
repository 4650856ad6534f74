// This function learns links for a corpus without gold links, from its sentence pairs alone.
#pragma once

#include <vector>

#include "data/alignment/em/em_aligner.h"

namespace softalign::data {

// Returns the links between the tokens of each pair. By default, these are the same links that the program `links`
// finds. They come from EM in both directions, leave-one-out counts, and the rule `agreement`
// (data/alignment/symmetrisation.h). A pair that is blank or too long has no links.
std::vector<Links> learn_links(const std::vector<Pair>& pairs, const EmOptions& options = {});

}  // namespace softalign::data
