// Given pairs aligned by a run's model: what align writes and view shows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/run/record_text.h"
#include "data/alignment/record.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

// What a record holds besides the alignment: the heads that look at the source; those of self-attention, too; and the
// scores that weights are the softmax of (scores.h).
enum class Looks { at_source, all, scored };

// std::runtime_error: the model of the run, which `name` names, has no attention, or none to a source where that is
// asked.
void check_attends(const Run& run, const std::string& name, Looks looks = Looks::at_source);

// Calls `use` with the record of each pair in turn, its id the pair's place; the attention of a part of the corpus is
// held at a time. `name` is the run's, for the std::runtime_error that its model has no attention.
void align_pairs(const Run& run, const std::string& name, const std::vector<data::Pair>& pairs, Tokens tokens,
                 Looks looks, const std::function<void(const data::Record&)>& use);

// The same by two runs of opposite direction, over words: `use` gets the record of the pair, and the reverse's of the
// pair turned. std::runtime_error too if the reverse has another tokeniser, or is of the same direction.
void align_both_ways(const Run& run, const std::string& name, const Run& reverse, const std::string& reverse_name,
                     const std::vector<data::Pair>& pairs,
                     const std::function<void(data::Record forward, const data::Record& backward)>& use);

}  // namespace softalign::apps
