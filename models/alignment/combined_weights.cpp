#include "models/alignment/combined_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace softalign::models {

namespace {

constexpr double least_weight = 1e-4;

// combined_scores returns w ln g_j + (1 - w) ln d_j for each j, whose softmax is a row of c.
std::vector<double> combined_scores(const std::vector<float>& layer, const std::vector<float>& decoder, double share) {
  const auto log_of = [](float weight) { return std::log(std::max<double>(weight, least_weight)); };
  std::vector<double> scores(layer.size());
  for (std::size_t j = 0; j < layer.size(); ++j)
    scores[j] = share * log_of(layer[j]) + (1 - share) * log_of(decoder.at(j));
  return scores;
}

using LinkedWords = std::vector<std::pair<std::string, std::string>>;

LinkedWords links_of(const std::vector<BothAttentions>& pairs, double share) {
  LinkedWords links;
  for (const BothAttentions& pair : pairs)
    for (std::size_t i = 0; i < pair.target.size(); ++i) {
      const std::vector<double> scores = combined_scores(pair.layer.at(i), pair.decoder.at(i), share);
      const auto best = std::max_element(scores.begin(), scores.end()) - scores.begin();
      links.emplace_back(pair.source.at(static_cast<std::size_t>(best)), pair.target[i]);
    }
  return links;
}

}  // namespace

data::Matrix combine(const data::Matrix& layer, const data::Matrix& decoder, double share) {
  data::Matrix combined;
  for (std::size_t i = 0; i < layer.size(); ++i) {
    std::vector<double> row = combined_scores(layer[i], decoder.at(i), share);
    double sum = 0;
    for (double& each : row) sum += each = std::exp(each);
    std::vector<float>& c = combined.emplace_back();
    for (const double each : row) c.push_back(static_cast<float>(each / sum));
  }
  return combined;
}

double link_cross_entropy(const LinkedWords& links) {
  std::map<std::pair<std::string, std::string>, double> count;  // n(e, f)
  std::map<std::string, double> of_source, of_target;           // n(f), n(e)
  for (const auto& [f, e] : links) ++count[{f, e}], ++of_source[f], ++of_target[e];
  const auto N = static_cast<double>(links.size());
  double H = 0;
  for (const auto& [words, n] : count) {
    const auto& [f, e] = words;
    H -= n / N * std::log((n - 1 + of_target[e] / N) / of_source[f]);
  }
  return H;
}

double best_share(const std::vector<BothAttentions>& pairs) {
  constexpr int steps = 10;
  double best = 1, least = std::numeric_limits<double>::infinity();
  for (int step = steps; step >= 0; --step) {
    const double share = static_cast<double>(step) / steps;
    const double H = link_cross_entropy(links_of(pairs, share));
    if (H < least) {
      least = H;
      best = share;
    }
  }
  return best;
}

}  // namespace softalign::models
