// These functions extract links between words from attention weights. The simplest rule takes the largest weight of
// each row.
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
  double threshold = 0.25;  // for the rule `threshold`, in 0 .. 1
};

// Returns the links that a rule finds in a record. a_ts is the attention weight of source word s for target word t. The
// source's </s> may have a column, too. argmax means the position of the largest number, and the first such position if
// several numbers are equal.
//   - best: links t to the argmax of row t. There is no link if this is </s> (data/alignment/argmax_links.h).
//   - best-word: links t to the argmax of row t among the words, without </s>.
//   - threshold: links t to every s with a_ts >= threshold.
//   - mutual: links t to s if s is the argmax of row t, and t is the argmax of column s.
//   - product: links t to the s with the largest product of a_ts and its share of the column, a_ts / sum_t' a_t's.
//     There is no link if this s is </s>. With this rule, a word with nearly equal weights, for example an unknown
//     word, gets the source word to which no other word attends.
//
// Throws std::invalid_argument for a record whose matrix does not fit its words.
Links links_by(const LinkRule& rule, const Record& record);

}  // namespace softalign::data
