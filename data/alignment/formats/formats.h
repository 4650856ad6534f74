// The alignment formats by name: how each is written and read. Each format's own header says its orientation, its
// policy for </s>, its separators and what it cannot hold.
#pragma once

#include <string>
#include <vector>

#include "data/alignment/formats/alignment_file.h"

namespace data {

struct Format {
  std::string name;
  std::string about;                    // a few words for --help
  bool weights;                         // it holds attention weights; otherwise links alone
  bool words;                           // it holds both sentences; otherwise reading needs them
  bool spaced;                          // with spaces between their words, so that none can have one
  std::string (*write)(const Record&);  // one record with its line end(s)
  std::vector<Record> (*read)(const AlignmentFile&);
};

// Each in the header of this folder that is named beside it:
//   jsonl             softalign/1 (data/alignment/record.h); read also the Nematus scorer's: nematus_scorer.h
//   pharaoh, tsv      links.h
//   hard, soft        Marian's: links.h, marian_soft.h
//   fairseq           links.h
//   nematus, sockeye  matrix_text.h
//   bertviz, t2t      visualisers.h
const std::vector<Format>& formats();
const Format& format_named(const std::string& name);  // std::invalid_argument for an unknown name

// One record with its line end(s). std::runtime_error naming the sentence if the format needs weights and the record,
// read from links, has none, or if its source is sentences and the format parts words by spaces.
std::string write(const Format& format, const Record& record);

// All records of a file; `pairs` give the words that the format lacks. std::runtime_error naming file and line for
// everything that is malformed, does not fit the words, or lacks them.
std::vector<Record> read_alignments(const std::string& path, const Format& format, std::vector<Pair> pairs = {});

}  // namespace data
