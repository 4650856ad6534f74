// Symmetrisation turns the links of two models of opposite direction into one set (Koehn, Och & Marcu 2003,
// "Statistical Phrase-Based Translation").
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "autograd/names.h"
#include "data/alignment/attention_weights.h"
#include "data/corpus/corpus.h"
#include "data/corpus/links.h"

namespace softalign::data {

// The rules, which are the values of --symmetrise and of `links --rule`.
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

// F are the links of the model source -> target. Each target word has at most one. B are the links of the model target
// -> source, written as source-target. Every result contains the intersection, and the union contains every result.
//   intersection          F n B
//   union                 F u B
//   grow-diag-final-and   starts with the intersection; then adds each link of the union that is next to an added link,
//                         straight or diagonally, if one of its words has no link yet, until there are no more; then
//                         adds the links of F, and then of B, of which neither word has a link
// The result is sorted. Throws std::invalid_argument for another rule, which needs weights, and for a link outside
// source_words x target_words.
Links symmetrise(JointRuleKind rule, const Links& forward, const Links& backward, std::size_t source_words,
                 std::size_t target_words);

// Turns target-source links into source-target links, and sorts them.
Links transposed(const Links& links);

// Returns the pairs for the model of the opposite direction: it exchanges source, target and gold links.
std::vector<Pair> turned(std::vector<Pair> pairs);

struct JointRule {
  JointRuleKind kind = JointRuleKind::agreement;
  double threshold = 0.25;  // of agreement, in 0 .. 1
};

// forward has one row per target word, and backward has one row per source word, as argmax_links
// (data/alignment/argmax_links.h) expects.
//   agreement          every link with sqrt(forward[t][s] backward[s][t]) >= threshold, so that both directions must
//                      find it likely (Liang, Taskar & Klein 2006, "Alignment by Agreement", compare the product of
//                      both with a threshold)
//   forward, backward  the argmax of one direction, as source-target
//   the others         the links of both directions, joined by symmetrise
// The result is sorted. Throws std::invalid_argument for a matrix that does not fit the words.
Links joint_links(const JointRule& rule, const Matrix& forward, const Matrix& backward, std::size_t source_words,
                  std::size_t target_words);

}  // namespace softalign::data
