#include "apps/experiments/aer_difference.h"

#include <algorithm>
#include <numeric>

#include "apps/experiments/test_seed.h"
#include "autograd/random.h"

namespace softalign::apps {

namespace {

constexpr std::size_t samples = 1000;

double mean_aer_of(const SeedScores& scores, const std::vector<std::size_t>& pairs) {
  double sum = 0;
  for (const auto& seed : scores) {
    data::AlignmentScore all;
    for (const std::size_t i : pairs) {
      const data::AlignmentScore& one = seed.at(i);
      all.found += one.found, all.sure += one.sure;
      all.found_sure += one.found_sure, all.found_possible += one.found_possible;
    }
    sum += 100 * all.aer();
  }
  return sum / static_cast<double>(scores.size());
}

std::vector<std::size_t> every_pair(const SeedScores& scores) {
  std::vector<std::size_t> pairs(scores.front().size());
  std::iota(pairs.begin(), pairs.end(), 0);
  return pairs;
}

}  // namespace

double mean_aer(const SeedScores& scores) { return mean_aer_of(scores, every_pair(scores)); }

SeedScores of_pairs(const SeedScores& scores, const std::vector<std::size_t>& pairs) {
  SeedScores some(scores.size());
  for (std::size_t k = 0; k < scores.size(); ++k)
    for (const std::size_t i : pairs) some[k].push_back(scores[k].at(i));
  return some;
}

Difference difference(const SeedScores& first, const SeedScores& second) {
  autograd::Random random(test_seed);
  std::vector<std::size_t> pairs = every_pair(first);
  const std::size_t n = pairs.size();
  const auto points = [&] { return mean_aer_of(first, pairs) - mean_aer_of(second, pairs); };
  Difference found{points(), 0, 0};
  std::vector<double> all(samples);
  for (double& one : all) {
    for (std::size_t& i : pairs) i = random.below(n);
    one = points();
  }
  std::sort(all.begin(), all.end());
  found.low = all[samples / 40], found.high = all[samples - 1 - samples / 40];
  return found;
}

}  // namespace softalign::apps
