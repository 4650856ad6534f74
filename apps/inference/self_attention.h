// Self-attention for records: what shows how a sentence looks at itself, where the model does.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/run/inference.h"
#include "apps/run/run_text.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

// Gives the weights of each pair the heads of self-attention of the run's model, over pieces as theirs are.
void add_self_attention(std::vector<ForcedPair>& forced, const Run& run, const std::vector<data::Pair>& pairs);

// The same for a hypothesis. A search may write more tokens than the model has positions (models::most_words); then the
// heads over the hypothesis are left out, those over the source are not, and the result is false.
bool add_self_attention(models::Hypothesis& found, const Run& run, const SourceText& source);

// The note on records whose hypotheses are too long for those heads; "" for none.
std::string note_of_self_attention(const Run& run, std::size_t left_out);

}  // namespace softalign::apps
