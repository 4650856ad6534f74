// Links of two models of opposite direction that both say of a pair where its words come from.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/alignment/weights.h"
#include "data/corpus/links.h"

namespace softalign::data {

struct JointRule {
  std::string name = "agreement";
  double threshold = 0.25;  // of agreement, in 0 .. 1
};

// forward: a row for each target word, backward: a row for each source word, as data/alignment/argmax_links.h takes
// them.
//   agreement          every link with sqrt(forward[t][s] backward[s][t]) >= threshold, so that both must find it
//                      likely (Liang, Taskar & Klein 2006, "Alignment by Agreement", where the product of both is held
//                      against a threshold)
//   forward, backward  the argmax of one direction, as source-target
//   the others         those two joined (data/alignment/symmetrise.h)
// Sorted. std::invalid_argument for another rule, naming the known ones, and for a matrix that does not fit the words.
Links joint_links(const JointRule& rule, const Matrix& forward, const Matrix& backward, size_t source_words,
                  size_t target_words);
const std::vector<std::string>& known_joint_rules();

}  // namespace softalign::data
