// A pair of sentences that were compared, seen as one sentence over another: where each word of the hypothesis looked
// in the premise.
#pragma once

#include "data/alignment/record.h"

namespace softalign::data {

// Of a pair with a mark between its m and n words, whose first head looks across: the rows of the n words over the
// columns of the m. Empty: there is no such head or mark.
Matrix looks_across(const Weights& weights, size_t m, size_t n);

// The record of these looks. std::invalid_argument: it has none.
Record across(const Record& record);

}  // namespace softalign::data
