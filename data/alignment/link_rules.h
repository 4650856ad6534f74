// Links read off a matrix of weights by other rules than the largest of each row alone.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/alignment/record.h"

namespace data {

struct LinkRule {
  std::string name = "best";
  double threshold = 0.25;  // of rules threshold and agreement, in 0 .. 1
};

// The links of a record's weights a_ts, a row for each target word t (that of the record's shift), a column for each
// source word s, and where the record has one a column for </s>:
//   best        s = argmax over all columns; none where that is </s> (data/alignment/argmax_links.h)
//   best-word   s = argmax over the words
//   threshold   every s with a_ts >= threshold
//   mutual      s = argmax over all columns, if t is the argmax of column s over the rows of words
// Of equal weights the first counts. std::invalid_argument for another rule, naming the known ones, and for a record
// whose matrix does not fit its words.
Links links_by(const LinkRule& rule, const Record& record);
const std::vector<std::string>& known_link_rules();

// Of two models of opposite direction, forward[t][s] and backward[s][t]: every link with
//   sqrt(forward[t][s] backward[s][t]) >= threshold
// so that both must find it likely (Liang, Taskar & Klein 2006, "Alignment by Agreement", where the product of both is
// held against a threshold).
Links agreeing_links(const Matrix& forward, const Matrix& backward, double threshold);

}  // namespace data
