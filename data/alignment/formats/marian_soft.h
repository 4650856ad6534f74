// Marian's --alignment soft: `target words ||| .72,.01,.27 .02,.86,.12`. Orientation: a group a target step, in it a
// weight a source position; steps are separated by spaces, positions by commas. </s> stands last on both sides. What it
// cannot hold: the source words (they must be given), heads, gold, log-probabilities.
#pragma once

#include "data/alignment/formats/alignment_file.h"

namespace softalign::data {

std::string write_marian_soft(const Record& record);
// A matrix of one row or column less is one without </s> on that side.
std::vector<Record> read_marian_soft(const AlignmentFile& file);

// The part after ||| alone, and a record with its words given such a matrix.
std::string format_marian_weights(const Matrix& matrix);
Record with_marian_weights(Record record, const std::string& text, const std::string& where);

// `words ||| rest`: the words in `target`, and the rest.
std::string read_marian_line(const std::string& line, Tokens& target, const std::string& where);

}  // namespace softalign::data
