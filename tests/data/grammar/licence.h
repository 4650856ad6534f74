// An independent proof that a grammar licenses a pair: the source is parsed bottom-up with the grammar's rules, every
// parse is translated anew with its links, and the pair must be among the results. Nothing of the sampler, of its
// derivations or of how it spells them out is used; only the grammar as it was read.
#pragma once

#include "data/corpus/corpus.h"
#include "data/grammar/grammar.h"

using namespace softalign;

namespace testing {

// Whether the grammar can derive exactly this source, this target and these gold links.
bool licensed(const data::Grammar& grammar, const data::Pair& pair);

}  // namespace testing
