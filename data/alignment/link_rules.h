// Links read off a matrix of weights by other rules than the largest of each row alone.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/alignment/record.h"

namespace softalign::data {

struct LinkRule {
  std::string name = "best";
  double threshold = 0.25;  // of rule threshold, in 0 .. 1
};

// The links of a record's weights a_ts, a row for each target word t (that of the record's shift), a column for each
// source word s, and where the record has one a column for </s>:
//   best        s = argmax over all columns; none where that is </s> (data/alignment/argmax_links.h)
//   best-word   s = argmax over the words
//   threshold   every s with a_ts >= threshold
//   mutual      s = argmax over all columns, if t is the argmax of column s over the rows of words
//   product     s = argmax over all columns of a_ts a_ts / sum_t' a_t's, t' over all rows: a weight times its share of
//   what
//               its column gets, so that a word whose row says little, an unknown one for instance, is left what
//               the others do not look at, and </s> to the row that writes it; none where s is </s>
// Of equal weights the first counts. std::invalid_argument for another rule, naming the known ones, and for a record
// whose matrix does not fit its words.
Links links_by(const LinkRule& rule, const Record& record);
const std::vector<std::string>& known_link_rules();

}  // namespace softalign::data
