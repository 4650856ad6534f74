// This file finds and prints answers of a model that answers with one word. The model reads either a story with a
// question, or two sentences.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/command_line.h"
#include "apps/run/run_folder.h"
#include "apps/run/run_text.h"
#include "apps/terminal/terminal.h"
#include "data/alignment/formats/formats.h"
#include "data/alignment/record.h"
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

// Declares --run, --n-best, --alignment and --color. `answers` is the noun for the answers in the help text of
// --n-best, and `attention_help` is the help text of --alignment.
void declare(CommandLine& line, AnswerOptions& options, const std::string& answers, const std::string& attention_help);

// Returns at most `n` answers per source, the most probable first. An answer is one word. Its score is log p.
std::vector<std::vector<models::Hypothesis>> find_answers(const LoadedRun& run,
                                                          const std::vector<data::EncodedPair>& texts, std::size_t n);

// Returns the alignment record of the answer `found`, which find_answers() returned. `n` is the number of answers that
// the caller requested, and `rank` is the position of this answer in the list, from 0. If the source is two sentences,
// the function adds the self-attention heads to `found`, because these heads compare the sentences.
data::Record answer_record(const LoadedRun& run, const SourceText& source, models::Hypothesis& found, std::size_t n,
                           std::size_t rank);

// Prints the answers, the most probable first. If the user requests several answers, each is printed with its
// log-probability. With `--alignment jsonl`, the function prints alignment records instead. With `--alignment plot`, it
// adds a heatmap to each answer. If the source is two sentences, only the first answer gets a heatmap, because all
// answers have the same attention. For two sentences and an ensemble, --alignment plot throws UsageError. The function
// also prints a note with the words that are not in the vocabulary.
void print_answers(const LoadedRun& run, const data::Pair& asked, const AnswerOptions& options);

}  // namespace softalign::apps
