// This file lists the formats of alignment files by name, with the functions that write and read them. text_formats.h
// and json_formats.h describe the formats: the order of the axes, the treatment of </s>, the separators, and what the
// format cannot contain.
#pragma once

#include <string>
#include <vector>

#include "data/alignment/record.h"

namespace softalign::data {

// AlignmentFile is a file of alignments. Some formats do not contain the words of the sentences. Then `pairs` has the
// sentence pairs, in the same order.
struct AlignmentFile {
  std::string path;
  std::vector<std::string> lines;
  std::vector<Pair> pairs;     // may be empty if the format contains all words
  std::size_t first_word = 0;  // links count from this number, 0 or 1

  std::string where(std::size_t line) const;  // "FILE:LINE" of lines[line], counted from 1
};

// Returns the sentence pair of alignment number `index`. Throws Error if there are no pairs, or too few.
const Pair& pair_of(const AlignmentFile& file, std::size_t index, const std::string& where);
// Throws Error if the number of alignments differs from the number of sentence pairs.
void check_all_read(const AlignmentFile& file, std::size_t alignments);

// Reads `text` as one row of attention weights. Throws Error if one of them is not a number in 0 .. 1.
std::vector<float> read_weights(const std::string& text, const std::string& separator, const std::string& where);

// Computes the missing fields of a record, such as links and entropy, from its words and matrix. If the sum of a row is
// within 0.02 of 1, because its numbers were rounded, the function scales the row to sum 1. Throws Error if the record
// is invalid: sizes do not match, a weight is illegal, or a row does not sum to 1.
Record completed(Record record, const std::string& where);

struct Format {
  std::string name;
  std::string about;                    // a few words for --help
  bool weights;                         // it contains attention weights; otherwise only links
  bool words;                           // it contains both sentences; otherwise the reader needs them
  bool spaced;                          // spaces separate words, so no word may contain a space
  bool barred;                          // ||| follows the target's words, so no word may be |||
  bool closed;                          // the words include </s>, so a last word </s> marks the end of the sentence
  std::string (*write)(const Record&);  // one record with its line end(s)
  std::vector<Record> (*read)(const AlignmentFile&);
};

// Returns all formats. The format jsonl has alignment records (data/alignment/record.h), and its reader also reads the
// JSON of the program Nematus. json_formats.h declares jsonl, bertviz and t2t, and text_formats.h declares the others.
const std::vector<Format>& formats();
const Format& format_named(const std::string& name);  // throws std::invalid_argument for an unknown name

// Returns one record as text with its line ends. A record without words has no rows.
//
// Throws Error if the format needs weights and the record has none. Throws Error if the format separates words by
// spaces and the source consists of sentences. Also throws Error if the reader could not restore a word. The word may
// be empty, or contain white space or ||| where these separate words, or be a last </s> in a format where </s> marks
// the end. The message names the sentence and the word.
std::string write(const Format& format, Record record);

// Checks the words of one side for a format that separates words by spaces. Throws Error if a word is empty, or
// contains a space, a tab or a line end. The message names the sentence, the word and the format, `holder`.
void check_words(const Tokens& words, const std::string& side, const Record& record, const std::string& holder);

// Reads all records of a file. If the format does not contain the words, they come from `pairs`. Links count from
// `first_word`, which is 0 or 1. Throws Error for invalid input, or if words are missing or do not match. The message
// names file and line.
std::vector<Record> read_alignments(const std::string& path, const Format& format, std::vector<Pair> pairs = {},
                                    std::size_t first_word = 0);

}  // namespace softalign::data
