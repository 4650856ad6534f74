// This file computes chrF2 (Popovic 2015, "chrF: character n-gram F-score for automatic MT evaluation") as in
// sacreBLEU. It uses character n-grams of 1-6 code points, no word n-grams and beta 2. It removes white space, and has
// no epsilon smoothing.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace softalign::data {

// Chrf has n-gram counts, summed over the sentences that are added. If a sentence has several references, the reference
// with the best score for this sentence counts, and the first if several are equal.
struct Chrf {
  static constexpr std::size_t order = 6;
  std::array<std::size_t, order> matches{};
  std::array<std::size_t, order> written{};  // of the hypothesis; not counted if the reference is too short
  std::array<std::size_t, order> wanted{};   // of the reference

  // Throws std::invalid_argument if there is no reference.
  void add(const std::string& hypothesis, const std::vector<std::string>& references);

  // P and R are means of matches / written and matches / wanted over the orders that both sides have. Returns
  // F = (1 + beta^2) P R / (beta^2 P + R) with beta = 2, in percent.
  double score() const;
};

}  // namespace softalign::data
