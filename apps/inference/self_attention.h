// Self-attention for records: what shows how a sentence looks at itself, where the model does.
#pragma once

#include <vector>

#include "apps/run/inference.h"
#include "apps/run/run_text.h"
#include "data/corpus/corpus.h"

namespace apps {

// Gives the weights of each pair the heads of self-attention of the run's model, over pieces as theirs are.
void add_self_attention(std::vector<ForcedPair>& forced, const Run& run, const std::vector<data::Pair>& pairs);

// The same of what was written freely.
void add_self_attention(models::Hypothesis& found, const Run& run, const SourceText& source);

}  // namespace apps
