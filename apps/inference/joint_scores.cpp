#include "apps/inference/joint_scores.h"

#include <fmt/format.h>

namespace softalign::apps {

void JointScores::add(const data::Pair& pair, const data::Matrix& forward, const data::Matrix& backward) {
  if (!pair.gold || pair.blank) return;
  for (const std::string& rule : data::known_joint_rules()) {
    const data::JointRule joint{rule, threshold_};
    const data::Links links = joint_links(joint, forward, backward, pair.source.size(), pair.target.size());
    scores_[rule].add(links_over_words(links, pair), gold_over_words(pair));
  }
}

std::string JointScores::table() const {
  if (scores_.empty()) return "";
  std::string text = fmt::format("{:20} {:>6} {:>6} {:>6}   percent\n", "", "AER", "prec.", "recall");
  for (const std::string& rule : data::known_joint_rules()) {
    const data::AlignmentScore& score = scores_.at(rule);
    text += fmt::format("{:20} {:6.1f} {:6.1f} {:6.1f}\n", rule, 100 * score.aer(), 100 * score.precision(),
                        100 * score.recall());
  }
  return text;
}

}  // namespace softalign::apps
