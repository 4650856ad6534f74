// This file reads alignments that softalign or another program wrote. The program `convert` and apps/python share it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/cli/command_line.h"
#include "apps/run/corpus_files.h"
#include "data/alignment/formats/formats.h"
#include "data/alignment/record.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

// AlignmentInput has the file of alignments and its format.
struct AlignmentInput {
  std::string in, word;                           // --in; the positional argument
  std::optional<data::AlignmentFormat> from;      // --from
  std::optional<std::vector<std::string>> lines;  // lines that were read to find the format

  std::vector<data::Record> records(const data::Format& format, std::vector<data::Pair> pairs, bool one_based);
};

// Declares the options --in and --from.
void declare(CommandLine& line, AlignmentInput& input);

// Reads the sentences of an alignment format that does not contain them. Throws UsageError if the caller names files of
// sentences although the format contains the sentences, or names none although the format needs them.
std::vector<data::Pair> read_pairs(const CorpusFiles& files, const data::Format& format);

// Chooses the input file and its format. The file is the one of --in, or the positional argument. The format is the one
// of --from. Otherwise, the ending of the file name or the content shows it.
void choose(AlignmentInput& input);

// Throws UsageError if the user gives --one-based, but the format has weights. The option has an effect only on links.
void check_one_based(const CorpusFiles& files, data::AlignmentFormat from);

// Prints a note if the links of a file seem to count words from 1.
void note_base(const std::vector<data::Record>& records, const std::string& file, const data::Format& format,
               bool one_based);

}  // namespace softalign::apps
