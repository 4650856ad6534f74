// AER of one corpus's links, by several rules side by side. Links and gold are compared over the words of the lines.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "data/alignment/symmetrisation.h"
#include "data/corpus/corpus.h"
#include "data/metrics/aer.h"

namespace softalign::apps {

// Links of two models of opposite direction, by every rule of data/alignment/symmetrisation.h.
class JointScores {
 public:
  explicit JointScores(double threshold) : threshold_(threshold) {}

  // What both say of a pair; one without gold is left out.
  void add(const data::Pair& pair, const data::Matrix& forward, const data::Matrix& backward);

  // A line a rule: AER, precision and recall in percent; "" if no pair had gold.
  std::string table() const;

 private:
  double threshold_;  // of rule agreement
  std::map<std::string, data::AlignmentScore> scores_;
};

}  // namespace softalign::apps
