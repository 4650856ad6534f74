// This file scores the links of an alignment file against gold links. It needs no model, so any aligner may have
// written the links.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "apps/cli/command_line.h"
#include "apps/run/corpus_files.h"
#include "data/alignment/formats/formats.h"
#include "data/metrics/aer.h"

namespace softalign::apps {

// LinkFiles has the values of the options --links, --gold and --from. --links names the file to score. Its links count
// words from 0. --from names the format of this file. Without --from, the function score_links() recognises the format
// by the ending of the file name, or by the content.
struct LinkFiles {
  std::string links, gold;
  std::optional<data::AlignmentFormat> from;
};
void declare(CommandLine& line, LinkFiles& files);

// Throws UsageError for options that have no effect or contradict each other. For example, --gold and --from need
// --links, --links excludes the options of a trained model such as --run, and there may be only one file of gold links.
void check(const CommandLine& line, const LinkFiles& files, const CorpusFiles& texts);

// LinkScore has the alignment error rate (AER), precision and recall over all pairs with gold links. data/metrics/aer.h
// defines AER.
struct LinkScore {
  std::size_t pairs = 0, with_gold = 0;
  data::AlignmentScore score;
};

// Reads the links and compares them with gold links. The gold links are in the file of --gold, or in the corpus (column
// 3 of --data, or --alignment). The file of --links may also contain gold links, if it consists of alignment records.
// The file of --gold has any of these formats, or that of data/corpus/naacl.h. If the user gives a corpus,
// every link must connect words of its sentences. Prints notes about links that seem to count from 1, and about pairs
// without gold links. Throws data::Error with file and line for invalid input, or if the files have different numbers
// of pairs.
LinkScore score_links(const LinkFiles& files, const CorpusFiles& texts);

// format_scores returns the scores as text, in lines of at most `columns` characters. to_json returns them as JSON with
// the keys pairs, pairs_with_gold, links, sure_links, aer, precision and recall. `precision` is null if the file has no
// links.
std::string format_scores(const LinkScore& score, std::size_t columns);
std::string to_json(const LinkScore& score);

}  // namespace softalign::apps
