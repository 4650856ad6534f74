// This file computes the score chrF2 (Popovic 2015, "chrF: character n-gram F-score for automatic MT evaluation") as
// sacreBLEU does. chrF2 compares character n-grams of 1 to 6 code points, and weights recall twice as much as precision
// (beta = 2). White space does not count. There is no epsilon smoothing.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace softalign::data {

// Chrf has n-gram counts, summed over all sentences. If a sentence has several references, only the reference with the
// best score for this sentence counts. If several are equal, the first counts.
struct Chrf {
  static constexpr std::size_t order = 6;
  std::array<std::size_t, order> matches{};
  std::array<std::size_t, order> written{};  // n-grams in the translation; not counted if the reference is too short
  std::array<std::size_t, order> wanted{};   // n-grams in the reference

  // Throws std::invalid_argument if there is no reference.
  void add(const std::string& hypothesis, const std::vector<std::string>& references);

  // Returns F = (1 + beta^2) P R / (beta^2 P + R) in percent, with beta = 2. For each n-gram length, matches / written
  // is the precision, and matches / wanted is the recall. P and R are their means over the lengths. A length does not
  // count if the translation or the reference has no n-gram of this length.
  double score() const;
};

}  // namespace softalign::data
