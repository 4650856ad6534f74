// `align --intervene` changes the attention or the word of one step of a translation, and decodes the rest.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "apps/cli/common_options.h"
#include "apps/run/run_folder.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

struct InterventionOptions {
  std::string kind;      // "": no intervention; one of models/search/intervention.h, or "all"
  std::size_t step = 0;  // from 1; 0: each step in turn
  std::size_t on = 0;    // the source word of force and ablate, from 1; 0: as --help says
  std::string write;     // the word of "word"; "": the second most probable
};
// Declares the options --intervene, --step, --on and --write. The second function checks them. It throws UsageError if
// the user gives one of the last three without the kind of intervention that needs it.
void declare(CommandLine& line, InterventionOptions& options);
void check(const InterventionOptions& options);

// Calls `use` in the first process for each sentence, in order: with the record of the unchanged greedy translation,
// and then with one record per intervention. Each is a line of JSON, an alignment record (data/alignment/record.h) that
// contains
//   "intervention": {"kind": "none"} or {"step", "kind", "source" or "word"}     counted from 0
// `seed` determines the random order of the weights for shuffle. With `scores`, the unchanged records have scores
// (align_pairs.h). Throws data::Error if the run has subwords, if the model has no attention, if a sentence has no such
// step or word, or if --write names an unknown word.
void intervene(const Run& run, const InterventionOptions& options, const std::vector<data::Pair>& pairs,
               std::uint64_t seed, bool scores, const std::function<void(const std::string&)>& use);

}  // namespace softalign::apps
