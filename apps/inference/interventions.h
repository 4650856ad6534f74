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
  std::string kind;      // "": none asked for; one of models/search/intervention.h, or "all"
  std::size_t step = 0;  // from 1; 0: each step in turn
  std::size_t on = 0;    // the source word of force and ablate, from 1; 0: as --help says
  std::string write;     // the word of "word"; "": the second most probable
};
// The options --intervene, --step, --on and --write, and their check: UsageError for one of the last three without the
// kind of intervention that needs it.
void declare(CommandLine& line, InterventionOptions& options);
void check(const InterventionOptions& options);

// For each sentence, in order, it calls `use` in the first process: with the record of the unchanged greedy
// translation, and then with one record per intervention. Each is a line of JSON, an alignment record
// (data/alignment/record.h) that contains
//   "intervention": {"kind": "none"} or {"step", "kind", "source" or "word"}     counted from 0
// `seed` deals the weights of shuffle. With `scores`, the unchanged records have scores (align_pairs.h). data::Error:
// the run has subwords; the model has no attention; a sentence has no such step or word; --write names an unknown word.
void intervene(const Run& run, const InterventionOptions& options, const std::vector<data::Pair>& pairs,
               std::uint64_t seed, bool scores, const std::function<void(const std::string&)>& use);

}  // namespace softalign::apps
