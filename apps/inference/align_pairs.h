// Given pairs aligned by a run's model: what align writes and view shows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/run/record_text.h"
#include "data/alignment/record.h"
#include "data/corpus/corpus.h"

namespace apps {

// Calls `use` with the record of each pair in turn, its id the pair's place; the attention of a part of the corpus is
// held at a time. `name` is the run's, for the std::runtime_error that its model has no attention.
void align_pairs(const Run& run, const std::string& name, const std::vector<data::Pair>& pairs, Tokens tokens,
                 const std::function<void(const data::Record&)>& use);

}  // namespace apps
