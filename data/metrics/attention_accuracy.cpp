#include "data/metrics/attention_accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

namespace softalign::data {

namespace {

// accepted maps each target word to the source positions that gold accepts for it.
std::map<std::size_t, std::set<std::size_t>> accepted(const Gold& gold) {
  std::map<std::size_t, std::set<std::size_t>> places;
  for (const Links* links : {&gold.sure, &gold.possible}) {
    for (const Link& link : *links) places[link.target].insert(link.source);
  }
  return places;
}

double per_word(double total, std::size_t words) { return words == 0 ? 0 : total / static_cast<double>(words); }

}  // namespace

void AttentionAccuracy::add(const std::vector<std::vector<float>>& weights, const Gold& gold, std::size_t shift,
                            std::size_t grid_columns) {
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
    if (grid_columns == 0) continue;
    on_grid += 1;
    near += std::any_of(places.begin(), places.end(),
                        [&](std::size_t place) { return are_near(place, best, grid_columns); });
  }
}

double AttentionAccuracy::accuracy() const { return per_word(static_cast<double>(hits), words); }
double AttentionAccuracy::mass_in_gold() const { return per_word(mass, words); }
double AttentionAccuracy::accuracy_within_one_cell() const { return per_word(static_cast<double>(near), on_grid); }

bool are_near(std::size_t a, std::size_t b, std::size_t columns) {
  const auto apart = [](std::size_t i, std::size_t j) { return std::max(i, j) - std::min(i, j); };
  return apart(a / columns, b / columns) <= 1 && apart(a % columns, b % columns) <= 1;
}

}  // namespace softalign::data
