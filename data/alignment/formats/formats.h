// This file lists the alignment formats by name, with their writers and readers. data/alignment/formats/text_formats.h
// and json_formats.h state for each format the order of its axes, the treatment of </s>, the separators and what the
// format cannot contain.
#pragma once

#include <string>
#include <vector>

#include "autograd/names.h"
#include "data/alignment/formats/alignment_file.h"
#include "data/alignment/record.h"

namespace softalign::data {

// The formats, which are the values of --format and --from. The programs draw the last two, which are pictures and
// cannot be read back.
enum class AlignmentFormat { jsonl, pharaoh, tsv, soft, hard, nematus, sockeye, fairseq, bertviz, t2t, plot, svg };
constexpr auto names_of(AlignmentFormat) {
  return autograd::names<AlignmentFormat>({{"jsonl", AlignmentFormat::jsonl},
                                           {"pharaoh", AlignmentFormat::pharaoh},
                                           {"tsv", AlignmentFormat::tsv},
                                           {"soft", AlignmentFormat::soft},
                                           {"hard", AlignmentFormat::hard},
                                           {"nematus", AlignmentFormat::nematus},
                                           {"sockeye", AlignmentFormat::sockeye},
                                           {"fairseq", AlignmentFormat::fairseq},
                                           {"bertviz", AlignmentFormat::bertviz},
                                           {"t2t", AlignmentFormat::t2t},
                                           {"plot", AlignmentFormat::plot},
                                           {"svg", AlignmentFormat::svg}});
}
constexpr bool is_picture(AlignmentFormat format) {
  return format == AlignmentFormat::plot || format == AlignmentFormat::svg;
}

struct Format {
  AlignmentFormat format;
  std::string about;                    // a few words for --help
  bool weights;                         // it contains attention weights; otherwise only links
  bool words;                           // it contains both sentences; otherwise the reader needs them
  bool spaced;                          // spaces separate words, so no word may contain a space
  bool barred;                          // ||| follows the target's words, so no word may be |||
  bool closed;                          // the words include </s>, so a last word </s> means the end
  std::string (*write)(const Record&);  // one record with its line end(s)
  std::vector<Record> (*read)(const AlignmentFile&);

  std::string name() const { return autograd::name_of(format); }
};

// Returns all formats but the pictures. jsonl is softalign/1 (data/alignment/record.h), and its reader also reads the
// Nematus scorer's JSON. json_formats.h has jsonl, bertviz and t2t, and text_formats.h has the others.
const std::vector<Format>& formats();
const Format& format_of(AlignmentFormat format);  // std::invalid_argument for a picture

// Returns one record as text with its line ends. A record without words has no rows. Throws Error if the format needs
// weights and the record has none, or if the source consists of sentences and the format separates words by spaces.
// Also throws Error if the reader could not restore a word: it is empty, it contains white space or ||| where these are
// separators, or it is a last word </s> where </s> marks the end. The message names the sentence, and the word if there
// is one.
std::string write(const Format& format, Record record);

// Throws Error if `holder`, which separates words by spaces, cannot contain a word: the word is empty, or contains a
// space, a tab or a line end. The message names the sentence and the word.
void check_words(const Tokens& words, const std::string& side, const Record& record, const std::string& holder);

// Reads all records of a file. `pairs` has the words, if the format does not contain them. Links count from
// `first_word`, which is 0 or 1. Throws Error for malformed input, or if words are missing or do not match. The message
// names file and line.
std::vector<Record> read_alignments(const std::string& path, const Format& format, std::vector<Pair> pairs = {},
                                    std::size_t first_word = 0);

}  // namespace softalign::data
