// This file finds and prints the answers of a run that answers with one word, for a story with its question or for two
// sentences.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/command_line.h"
#include "apps/run/run_folder.h"
#include "apps/terminal/terminal.h"
#include "data/alignment/formats/formats.h"
#include "data/corpus/batches.h"
#include "data/corpus/corpus.h"
#include "models/search/hypothesis.h"

namespace softalign::apps {

struct AnswerOptions {
  std::vector<std::string> runs;
  std::optional<data::AlignmentFormat> alignment;  // jsonl or plot
  UseColour colour = UseColour::automatic;
  std::size_t n_best = 1;
};

// Declares --run, --n-best, --alignment and --color. `answers` describes what --n-best counts, and
// `attention_help` what --alignment shows.
void declare(CommandLine& line, AnswerOptions& options, const std::string& answers, const std::string& attention_help);

// Returns at most `n` answers of one word per source, the most probable first. Their score is log p.
std::vector<std::vector<models::Hypothesis>> find_answers(const Run& run, const std::vector<data::EncodedPair>& texts,
                                                          std::size_t n);

// Prints the answers, the most probable first, with log p if there may be several; or prints the records instead. A
// note lists words that are not in the vocabulary. For two sentences, only the first label gets a plot, because the
// attention between the sentences is the same for all labels. Throws UsageError for a plot of the attention between two
// sentences in an ensemble.
void print_answers(const Run& run, const data::Pair& asked, const AnswerOptions& options);

}  // namespace softalign::apps
