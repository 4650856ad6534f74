#include "data/alignment/joint_links.h"

#include <cmath>

#include "data/alignment/argmax_links.h"
#include "data/alignment/symmetrise.h"

namespace softalign::data {
namespace {

Links agreeing_links(const Matrix& forward, const Matrix& backward, size_t S, size_t T, double threshold) {
  Links links;
  for (size_t s = 0; s < S; ++s) {
    for (size_t t = 0; t < T; ++t) {
      const double both = static_cast<double>(forward[t][s]) * static_cast<double>(backward[s][t]);
      if (std::sqrt(both) >= threshold) links.push_back({s, t});
    }
  }
  return links;
}

}  // namespace

Links joint_links(const JointRule& rule, const Matrix& forward, const Matrix& backward, size_t source_words,
                  size_t target_words) {
  const Links F = argmax_links(forward, source_words, target_words);  // which looks at the sizes too
  const Links B = transposed(argmax_links(backward, target_words, source_words));
  if (rule.name == "agreement") return agreeing_links(forward, backward, source_words, target_words, rule.threshold);
  if (rule.name == "forward") return F;
  if (rule.name == "backward") return B;
  return symmetrise(rule.name, F, B, source_words, target_words);
}

const std::vector<std::string>& known_joint_rules() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = {"agreement", "forward", "backward"};
    const std::vector<std::string>& more = known_symmetrisations();
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }();
  return names;
}

}  // namespace softalign::data
