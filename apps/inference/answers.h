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

// Declares --run, --n-best, --alignment and --color. `answers` describes what --n-best counts, and
// `attention_help` what --alignment shows.
void declare(CommandLine& line, AnswerOptions& options, const std::string& answers, const std::string& attention_help);

// Returns at most `n` answers per source, the most probable first. An answer is one word. Its score is log p.
std::vector<std::vector<models::Hypothesis>> find_answers(const Run& run, const std::vector<data::EncodedPair>& texts,
                                                          std::size_t n);

// Returns the record of an answer that find_answers() found. `n` is the number of answers that the caller requested,
// and `rank` is the position of this answer in the list, from 0. If the source is two sentences, the function adds the
// heads of self-attention to `found`, because these heads compare the sentences.
data::Record answer_record(const Run& run, const SourceText& source, models::Hypothesis& found, std::size_t n,
                           std::size_t rank);

// Prints the answers, the most probable first. Prints log p too if there may be several answers. With --alignment, it
// prints the alignment records instead. A note lists words that are not in the vocabulary. For two sentences, only the
// first label gets a heatmap, because all labels have the same attention. Throws UsageError for such a heatmap from an
// ensemble.
void print_answers(const Run& run, const data::Pair& asked, const AnswerOptions& options);

}  // namespace softalign::apps
