// What several recurrent families have in common as users of options: the names of those they use, and which of these
// do not fit together.
#pragma once

#include <cstddef>

#include "models/registry.h"

namespace softalign::models {

// `own`, and the options of every recurrent family; of those that attend too.
std::vector<std::string> recurrent_options(std::vector<std::string> own);
std::vector<std::string> attending_options(std::vector<std::string> own);

Conflicts conflicts_of_attention(const ModelOptions& o);     // of a family that attends
Conflicts conflicts_of_no_attention(const ModelOptions& o);  // of one that does not
Conflicts conflicts_of_depth(const ModelOptions& o);
Conflicts conflicts_of_order(const ModelOptions& o, bool both_ways);  // both_ways: so the encoder reads the source
// of --tie, if the output layer reads l numbers, those of option `read` (models/word_tables.h)
Conflicts conflicts_of_tie(const ModelOptions& o, const char* read, std::size_t l);

}  // namespace softalign::models
