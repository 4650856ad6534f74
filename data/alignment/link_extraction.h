// This file extracts a word alignment from an attention matrix, by the largest weight of each row or by other rules.
#pragma once

#include "autograd/names.h"
#include "data/alignment/record.h"
#include "data/corpus/links.h"

namespace softalign::data {

enum class LinkRuleKind { best, best_word, threshold, mutual, product };
constexpr auto names_of(LinkRuleKind) {
  return autograd::names<LinkRuleKind>({{"best", LinkRuleKind::best},
                                        {"best-word", LinkRuleKind::best_word},
                                        {"threshold", LinkRuleKind::threshold},
                                        {"mutual", LinkRuleKind::mutual},
                                        {"product", LinkRuleKind::product}});
}

struct LinkRule {
  LinkRuleKind kind = LinkRuleKind::best;
  double threshold = 0.25;  // of rule threshold, in 0 .. 1
};

// Returns the links of a record's weights a_ts. Each target word t has one row (by the record's shift), each source
// word s has one column, and </s> may have a column:
//   best        s = argmax over all columns; none where that is </s> (data/alignment/argmax_links.h)
//   best-word   s = argmax over the words
//   threshold   every s with a_ts >= threshold
//   mutual      s = argmax over all columns, if t is the argmax of column s over the rows of words
//   product     s = argmax over all columns of a_ts a_ts / sum_t' a_t's, t' over all rows. This is a weight times its
//               share of its column. A word with an uninformative row, for example an unknown word, therefore gets the
//               source word that no other word attends to, and </s> goes to the row that writes </s>. There is no link
//               if s is </s>
// If weights are equal, the first counts. Throws std::invalid_argument for a record whose matrix does not fit its
// words.
Links links_by(const LinkRule& rule, const Record& record);

}  // namespace softalign::data
