// This file carries out `align --intervene`. An intervention changes the attention or the word in one step of a
// translation, and then the model continues the translation from there.
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
  std::string kind;      // "": no intervention; else a kind of models/search/intervention.h, or "all"
  std::size_t step = 0;  // from 1; 0: each step in turn
  std::size_t on = 0;    // source word for the kinds force and ablate, from 1; 0: as --help says
  std::string write;     // word that the kind "word" writes; "": the second most probable word
};
// declare() declares the options --intervene, --step, --on and --write, and check() checks them. check() throws
// UsageError if --step, --on or --write is given without a kind of intervention that needs it.
void declare(CommandLine& line, InterventionOptions& options);
void check(const InterventionOptions& options);

// Calls `use` for each sentence, in order. It first passes the record of the unchanged greedy translation, and then one
// record per intervention. Only the first of several processes calls `use`. Each record is a line of JSON
// (data/alignment/record.h). Its field "intervention" counts steps and words from 0:
//   "intervention": {"kind": "none"} or {"step", "kind", "source" or "word"}
// `seed` determines the random order of the weights for the kind shuffle. With `scores`, the record of the unchanged
// translation has scores (align_pairs.h). Throws data::Error if the run has subwords, if the model has no attention, if
// a sentence lacks the step or the word, or if --write names an unknown word.
void intervene(const Run& run, const InterventionOptions& options, const std::vector<data::Pair>& pairs,
               std::uint64_t seed, bool scores, const std::function<void(const std::string&)>& use);

}  // namespace softalign::apps
