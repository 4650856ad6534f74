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

// Computes the records for all sentences and passes them to `use` as text, in the order of the sentences. If several
// processes work, only the first calls `use`. For each sentence, the first record has the unchanged greedy translation,
// and one record per intervention follows. Each record is a line of JSON (data/alignment/record.h) with a field
// "intervention". Its "step" and "source" count from 0:
//   {"kind": "none"}                            the unchanged translation
//   {"step": 2, "kind": "force", "source": 0}   the decoder attends only to source word 0
//   {"step": 2, "kind": "word", "word": "cat"}  the decoder writes "cat"
// `seed` determines the random order of the weights for the kind `shuffle`. If `scores` is true, the record of the
// unchanged translation has scores (align_pairs.h). Throws data::Error if the run has subwords, if the model has no
// attention, if --step or --on is too large for a sentence, or if the vocabulary lacks the word of --write.
void intervene(const LoadedRun& run, const InterventionOptions& options, const std::vector<data::Pair>& pairs,
               std::uint64_t seed, bool scores, const std::function<void(const std::string&)>& use);

}  // namespace softalign::apps
