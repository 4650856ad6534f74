// Symmetrisation combines the links of two models into one set of links. One model aligns the target to the source, and
// the other aligns the source to the target (Koehn, Och & Marcu 2003, "Statistical Phrase-Based Translation").
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "autograd/names.h"
#include "data/alignment/attention_weights.h"
#include "data/corpus/corpus.h"
#include "data/corpus/links.h"

namespace softalign::data {

// JointRuleKind has the rules, which are the values of --symmetrise and of `links --rule`.
enum class JointRuleKind { agreement, forward, backward, intersection, union_of_both, grow_diag_final_and };
constexpr auto names_of(JointRuleKind) {
  return autograd::names<JointRuleKind>({{"agreement", JointRuleKind::agreement},
                                         {"forward", JointRuleKind::forward},
                                         {"backward", JointRuleKind::backward},
                                         {"intersection", JointRuleKind::intersection},
                                         {"union", JointRuleKind::union_of_both},
                                         {"grow-diag-final-and", JointRuleKind::grow_diag_final_and}});
}
// Returns the names of the rules that need no weights.
std::vector<std::string> rules_of_links();

// The function combines two sets of links, written as source-target. F has the links of the forward model, with at most
// one link per target word. B has the links of the backward model, with at most one per source word. The result
// contains at least the links that are in both sets, and at most those that are in F or in B:
//   - intersection: the links that are in F and in B
//   - union: the links that are in F or in B
//   - grow-diag-final-and: starts with the intersection. Then it adds each link of the union that is next to an added
//     link, straight or diagonally, if one of its words has no link yet. It repeats this until there are no more such
//     links. Last, it adds the links of F and then of B whose two words have no link.
//
// The result is sorted. Throws std::invalid_argument for another rule, which needs weights, and for a link outside of
// source_words x target_words.
Links symmetrise(JointRuleKind rule, const Links& forward, const Links& backward, std::size_t source_words,
                 std::size_t target_words);

// Turns target-source links into source-target links, and sorts them.
Links transposed(const Links& links);

// Returns the pairs for a model of the opposite direction. In each pair, source and target are exchanged, and each gold
// link i-j becomes j-i.
std::vector<Pair> turned(std::vector<Pair> pairs);

struct JointRule {
  JointRuleKind kind = JointRuleKind::agreement;
  double threshold = 0.25;  // for the rule `agreement`, in 0 .. 1
};

// Combines the attention weights of both directions into links. `forward` has one row per target word t, and `backward`
// has one row per source word s (see data/alignment/argmax_links.h).
//   - agreement: every link with sqrt(forward[t][s] backward[s][t]) >= threshold. So both directions must find the link
//     likely. Liang, Taskar & Klein 2006, "Alignment by Agreement", compare the product of both with a threshold.
//   - forward, backward: the links of one direction, which connect each word to the largest weight of its row
//   - all rules of symmetrise: the links of both directions, combined by the rule
//
// The result is sorted. Throws std::invalid_argument for a matrix that does not fit the words.
Links joint_links(const JointRule& rule, const Matrix& forward, const Matrix& backward, std::size_t source_words,
                  std::size_t target_words);

}  // namespace softalign::data
