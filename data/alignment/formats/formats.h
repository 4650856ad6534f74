// This file lists the formats of alignment files by name, with the functions that write and read them. text_formats.h
// and json_formats.h describe the formats: the order of the axes, the treatment of </s>, the separators, and what the
// format cannot contain.
#pragma once

#include <string>
#include <vector>

#include "autograd/names.h"
#include "data/alignment/formats/alignment_file.h"
#include "data/alignment/record.h"

namespace softalign::data {

// AlignmentFormat has the formats, which are the values of --format and --from. The last two are pictures. The programs
// draw them, but cannot read them.
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
  bool closed;                          // the words include </s>, so a last word </s> marks the end of the sentence
  std::string (*write)(const Record&);  // one record with its line end(s)
  std::vector<Record> (*read)(const AlignmentFile&);

  std::string name() const { return autograd::name_of(format); }
};

// Returns all formats but the pictures. The format jsonl has alignment records (data/alignment/record.h), and its
// reader also reads the JSON of the program Nematus. json_formats.h declares jsonl, bertviz and t2t, and text_formats.h
// declares the others.
const std::vector<Format>& formats();
const Format& format_of(AlignmentFormat format);  // throws std::invalid_argument for a picture

// Returns one record as text with its line ends. A record without target words and weights has no </s> in the text.
//
// Throws Error if the format needs weights and the record has none, or if the format separates words by spaces and the
// source consists of sentences. Also throws Error for a word that the format cannot contain. If spaces separate words,
// a word must not be empty or contain white space. If ||| separates fields, a word must not be |||. If the format marks
// the end of a sentence by </s>, a sentence without this mark must not end with the word </s>. The message names the
// sentence and the word.
std::string write(const Format& format, Record record);

// Checks source or target words for a format that separates words by spaces. Throws Error if a word is empty, or
// contains white space or a NUL byte. The message names the sentence, the word and the format. `holder` is the name of
// the format.
void check_words(const Tokens& words, const std::string& side, const Record& record, const std::string& holder);

// Reads all records of a file. If the format does not contain the words, they come from `pairs`. In the links of the
// file, the first word has the number `first_word`, which is 0 or 1. Throws Error for invalid input. Also throws Error
// if the format needs the words of `pairs` and they are missing, or do not match the file. The message names file and
// line.
std::vector<Record> read_alignments(const std::string& path, const Format& format, std::vector<Pair> pairs = {},
                                    std::size_t first_word = 0);

}  // namespace softalign::data
