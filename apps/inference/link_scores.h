// This file scores the links of an alignment file against gold links, without a run. Any aligner may have written the
// links.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "apps/cli/command_line.h"
#include "apps/run/corpus_files.h"
#include "data/alignment/formats/formats.h"
#include "data/metrics/aer.h"

namespace softalign::apps {

// LinkFiles has the options --links, --gold and --from. --links names the file to score. Its links count words from 0.
// --from is its format. Without --from, the ending of the name or the content shows the format.
struct LinkFiles {
  std::string links, gold;
  std::optional<data::AlignmentFormat> from;
};
void declare(CommandLine& line, LinkFiles& files);

// Throws UsageError for options that have no effect or contradict each other: --gold or --from without --links, options
// of a run with --links, or two files of gold links.
void check(const CommandLine& line, const LinkFiles& files, const CorpusFiles& texts);

// LinkScore has the alignment error rate (AER), precision and recall over all pairs with gold links. AER is that of
// data/metrics/aer.h.
struct LinkScore {
  std::size_t pairs = 0, with_gold = 0;
  data::AlignmentScore score;
};

// Reads the links and scores them. Gold links come from --gold, or from the texts (column 3 of --data, --alignment), or
// from records with gold links. In a line of --gold, `0-0` is a sure link and `1?2` is a possible link. If the texts
// are given, every position must be the position of a word. Prints notes about links that seem to count from 1, and
// about pairs without gold links. Throws data::Error with file and line for invalid input, or if the numbers of lines
// differ.
LinkScore score_links(const LinkFiles& files, const CorpusFiles& texts);

// Return the scores as text of at most this many columns, and as JSON with the keys pairs, pairs_with_gold, links,
// sure_links, aer, precision and recall. `precision` is null if the file has no links.
std::string format_scores(const LinkScore& score, std::size_t columns);
std::string to_json(const LinkScore& score);

}  // namespace softalign::apps
