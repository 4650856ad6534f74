// Formats of several lines a pair: a head of fields between " ||| ", rows of weights separated by spaces, a blank line.
// Both hold id, words and weights, and -log p of the whole sentence as a score, which reading passes over (a record
// wants it a word). What they cannot hold: heads, gold, log-probabilities of words, and |||, which no word may be.
#pragma once

#include "data/alignment/formats/alignment_file.h"

namespace softalign::data {

// Nematus, translate -a: `id ||| target words ||| score ||| source words ||| S T`. Orientation: a row a target step.
// </s> stands last on both sides and is counted by S and T, but is not among the words; a count that equals the
// number of words is one without </s>.
std::string write_nematus(const Record& record);
std::vector<Record> read_nematus(const AlignmentFile& file);

// Sockeye 1, translation_with_alignment_matrix: `id ||| target words ||| score ||| source words ||| S ||| T`.
// Orientation: a row a SOURCE position, in it a weight a target step. </s> is there where it is written among the
// words. Sockeye itself cuts the source's </s> off; where the weights of a step leave something, reading gives it to
// the </s> that is missing. A step without any weight is refused: nothing says that it looked at </s>.
std::string write_sockeye(const Record& record);
std::vector<Record> read_sockeye(const AlignmentFile& file);

}  // namespace softalign::data
