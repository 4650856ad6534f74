// What a run that answers by one word says of one source: of a story and its question, of two sentences.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/cli/command_line.h"
#include "apps/run/run_folder.h"
#include "apps/terminal/terminal.h"
#include "data/corpus/batches.h"
#include "data/corpus/corpus.h"
#include "models/search/hypothesis.h"

namespace softalign::apps {

struct AnswerOptions {
  std::vector<std::string> runs;
  std::string alignment;
  UseColour colour = UseColour::automatic;
  std::size_t n_best = 1;
};

// --run, --n-best, --alignment and --color; `answers` is what --n-best counts, `looks` what --alignment shows.
void declare(CommandLine& line, AnswerOptions& options, const std::string& answers, const std::string& looks);

// Of each source at most `n` answers of one word, the most probable first; their score is log p.
std::vector<std::vector<models::Hypothesis>> find_answers(const Run& run, const std::vector<data::EncodedPair>& texts,
                                                          std::size_t n);

// Prints the answers, the most probable first, with their log p where there may be several, or in their place the
// records; words that are not in the vocabulary are told. Of two sentences a plot follows the first label alone: where
// they looked at each other no label changes. UsageError: a plot of how an ensemble looks at two sentences.
void print_answers(const Run& run, const data::Pair& asked, const AnswerOptions& options);

}  // namespace softalign::apps
