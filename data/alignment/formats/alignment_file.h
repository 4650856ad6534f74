// What the readers of data/alignment/formats share: a file as lines, and the careful reading of its fields.
#pragma once

#include <string>
#include <vector>

#include "data/alignment/record.h"

namespace softalign::data {

// A file of alignments. Formats that do not hold the words take them from `pairs`, in the same order.
struct AlignmentFile {
  std::string path;
  std::vector<std::string> lines;
  std::vector<Pair> pairs;  // may be empty if the format holds all words
  size_t first_word = 0;    // what links count from, 0 or 1

  std::string where(size_t line) const;  // "FILE:LINE" of lines[line], counted from 1
};

// The pair that stands for alignment number `index`. std::runtime_error if no pairs, or too few, were given.
const Pair& pair_of(const AlignmentFile& file, size_t index, const std::string& where);
// std::runtime_error unless there are as many alignments as pairs.
void check_all_read(const AlignmentFile& file, size_t alignments);

// `text` as weights, one row of a matrix: numbers in 0 .. 1.
std::vector<float> read_weights(const std::string& text, const std::string& separator, const std::string& where);

// Fills links, entropy and what else follows from words and matrix. Rows that printing has rounded (their sum is within
// 0.02 of 1) are made to sum to 1. std::runtime_error for what breaks the rules of the record: sizes that do not fit, a
// weight that is none, a row that does not sum to 1.
Record completed(Record record, const std::string& where);

}  // namespace softalign::data
