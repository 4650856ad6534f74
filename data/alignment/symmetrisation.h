// Symmetrisation: the links of two models of opposite direction become one set (Koehn, Och & Marcu 2003, "Statistical
// Phrase-Based Translation").
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/alignment/attention_weights.h"
#include "data/corpus/corpus.h"
#include "data/corpus/links.h"

namespace softalign::data {

// F are the links of the model source -> target, at most one per target word. B are the links of the model target ->
// source, written as source-target. Every result contains the intersection, and the union contains every result.
//   intersection          F n B
//   union                 F u B
//   grow-diag-final-and   the intersection; grown: a link of the union next to one that is in, straight or diagonally,
//                         comes in if one of its words has no link yet, until no more do; at last those of F, then of
//                         B, of which neither word has a link
// The result is sorted. std::invalid_argument for another rule, naming the known ones, and for a link outside
// source_words x target_words.
Links symmetrise(const std::string& rule, const Links& forward, const Links& backward, std::size_t source_words,
                 std::size_t target_words);
const std::vector<std::string>& known_symmetrisations();

// target-source -> source-target, sorted.
Links transposed(const Links& links);

// The pairs for the model of the opposite direction, with source, target and gold links exchanged.
std::vector<Pair> turned(std::vector<Pair> pairs);

struct JointRule {
  std::string name = "agreement";
  double threshold = 0.25;  // of agreement, in 0 .. 1
};

// forward: a row for each target word, backward: a row for each source word, as argmax_links
// (data/alignment/link_extraction.h) takes them.
//   agreement          every link with sqrt(forward[t][s] backward[s][t]) >= threshold, so that both must find it
//                      likely (Liang, Taskar & Klein 2006, "Alignment by Agreement", where the product of both is held
//                      against a threshold)
//   forward, backward  the argmax of one direction, as source-target
//   the others         those two joined by symmetrise
// Sorted. std::invalid_argument for another rule, naming the known ones, and for a matrix that does not fit the words.
Links joint_links(const JointRule& rule, const Matrix& forward, const Matrix& backward, std::size_t source_words,
                  std::size_t target_words);
const std::vector<std::string>& known_joint_rules();

}  // namespace softalign::data
