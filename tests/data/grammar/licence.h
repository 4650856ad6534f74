// An independent check that a grammar licenses a pair. It parses the source bottom-up with the grammar's rules and
// translates every parse again, with links. The pair must be among the results. The check shares only the reader of
// grammars with the sampler.
#pragma once

#include "data/corpus/corpus.h"
#include "data/grammar/grammar.h"

using namespace softalign;

namespace testing {

// Whether the grammar can derive exactly this source, this target and these gold links.
bool licensed(const data::Grammar& grammar, const data::Pair& pair);

}  // namespace testing
