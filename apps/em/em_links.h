// This file learns word alignments from sentence pairs by expectation maximisation (EM). The program `links` and
// apps/python share it.
#pragma once

#include <cstddef>
#include <vector>

#include "apps/cli/command_line.h"
#include "data/alignment/em/em_aligner.h"
#include "data/alignment/em/learnt_links.h"
#include "data/alignment/record.h"
#include "data/alignment/symmetrisation.h"
#include "data/corpus/corpus.h"
#include "data/text/tokenizer.h"

namespace softalign::apps {

// EmLinkOptions says how text is split into words, how EM learns, and which links are kept.
struct EmLinkOptions {
  data::Tokenization tokenizer = data::Tokenization::words;
  bool lowercase = true;
  std::size_t max_length = 100;
  data::EmOptions em;
  data::JointRule rule;
};
void declare(CommandLine& line, EmLinkOptions& options);
// Throws UsageError for options that contradict each other.
void check(const CommandLine& line, const EmLinkOptions& options);

// Learns word links from the sentence pairs, and reports the progress. Throws data::Error if all pairs are blank or too
// long, because EM then has nothing to learn from.
data::CorpusAligner learn(const std::vector<data::Pair>& pairs, const EmLinkOptions& options);

// Returns an empty record for the posteriors of a pair. The column </s> of its matrix is the empty word, and the target
// has no row </s>.
data::Record posterior_record(std::size_t id);

}  // namespace softalign::apps
