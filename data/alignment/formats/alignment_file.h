// Each format of alignments has a function that reads it. This file defines AlignmentFile, the input of these
// functions, and checks that all of them use.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/alignment/record.h"
#include "data/corpus/corpus.h"

namespace softalign::data {

// AlignmentFile is a file of alignments. Some formats do not contain the words of the sentences. For these formats,
// `pairs` has the words: alignment i belongs to pair i.
struct AlignmentFile {
  std::string path;
  std::vector<std::string> lines;
  std::vector<Pair> pairs;     // may be empty if the format contains all words
  std::size_t first_word = 0;  // links count from this number, 0 or 1

  std::string where(std::size_t line) const;  // "FILE:LINE" of lines[line], counted from 1
};

// Returns the pair to which alignment `index` of the file belongs. Throws Error if there are no pairs, or too few.
const Pair& pair_of(const AlignmentFile& file, std::size_t index, const std::string& where);
// Call this function after reading a file with this number of alignments. Throws Error if it differs from the number of
// pairs.
void check_all_read(const AlignmentFile& file, std::size_t alignments);

// Reads one row of a matrix: weights that are separated by `separator`. Throws Error if one of them is not a number in
// 0 .. 1.
std::vector<float> read_weights(const std::string& text, const std::string& separator, const std::string& where);

// Computes links, entropy and other fields of a record from its words and its matrix. The weights of a file may be
// rounded. Therefore the function scales a row to the sum 1 if its sum differs from 1 by at most 0.02. Throws Error if
// the sizes do not match, if a weight is not between 0 and 1, or if the sum of a row differs from 1 by more than 0.02.
Record completed(Record record, const std::string& where);

}  // namespace softalign::data
