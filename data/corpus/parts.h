// These functions split a file of pairs into training, validation and test pairs. All pairs with the same source go to
// the same part. Otherwise, the test could measure memorisation instead of generalisation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace softalign::data {

struct PartSizes {
  std::size_t valid = 500, test = 500;  // numbers of pairs; 0: no such part
};

// CorpusParts has the lines of each part, in the order of the file. The lines are unchanged and have no line ends.
struct CorpusParts {
  std::vector<std::string> train, valid, test;
  std::size_t blank = 0;     // lines that were left out, because a side has no words
  std::size_t repeated = 0;  // sources that several pairs have
  std::string note = {};     // warning about the file, as in Corpus
};

// Splits the pairs of a TSV file at random. The same seed gives the same parts. Pairs with the same source words go to
// the same part. Throws Error like read_tsv, and for a file with too few pairs.
CorpusParts cut_into_parts(const std::string& path, const PartSizes& sizes, std::uint64_t seed);

// Returns the lines as the text of a file.
std::string text_of_lines(const std::vector<std::string>& lines);

}  // namespace softalign::data
