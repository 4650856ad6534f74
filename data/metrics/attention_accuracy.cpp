#include "data/metrics/attention_accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

namespace softalign::data {

namespace {

// Target word -> the source positions that gold accepts for it.
std::map<std::size_t, std::set<std::size_t>> accepted(const Gold& gold) {
  std::map<std::size_t, std::set<std::size_t>> places;
  for (const Links* links : {&gold.sure, &gold.possible}) {
    for (const Link& link : *links) places[link.target].insert(link.source);
  }
  return places;
}

double per_word(double total, std::size_t words) { return words == 0 ? 0 : total / static_cast<double>(words); }

}  // namespace

void AttentionAccuracy::add(const std::vector<std::vector<float>>& weights, const Gold& gold, std::size_t shift) {
  for (const auto& [word, places] : accepted(gold)) {
    if (word + shift >= weights.size()) continue;
    const std::vector<float>& row = weights[word + shift];
    if (*places.rbegin() >= row.size()) {
      throw std::invalid_argument(
          fmt::format("attention accuracy: gold has place {} for word {}, whose row has {} weights", *places.rbegin(),
                      word, row.size()));
    }
    const auto best = static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
    words += 1;
    hits += places.count(best);
    for (const std::size_t place : places) mass += row[place];
  }
}

double AttentionAccuracy::accuracy() const { return per_word(static_cast<double>(hits), words); }
double AttentionAccuracy::mass_in_gold() const { return per_word(mass, words); }

}  // namespace softalign::data
