// These functions read gold links in the text form of NAACL's shared task on word alignment (Mihalcea & Pedersen 2003):
// one link per line, `SENTENCE SOURCE TARGET [S|P] [CONFIDENCE]`. All numbers count from 1.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "data/corpus/links.h"

namespace softalign::data {

// Returns true if the first line that is not blank has this form, for example `18 1 1 S`.
bool is_naacl(const std::vector<std::string>& lines);

struct PairSize {
  std::size_t source = 0, target = 0;  // words; any_words (data/corpus/pharaoh.h) if unknown
};

// Reads the gold links of all pairs. A pair without a line has no gold links. A link without S and P is sure, and a
// link with both is sure. A link to word 0, which means "no word", is left out. Throws Error ("PATH:LINE: ...") for
// another form, or for a sentence or a word that the pairs do not have.
std::vector<std::optional<Gold>> read_naacl(const std::string& path, const std::vector<std::string>& lines,
                                            const std::vector<PairSize>& pairs);

}  // namespace softalign::data
