#include "data/metrics/chrf.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include "data/io/unicode.h"

namespace softalign::data {
namespace {

using GramCounts = std::unordered_map<std::u32string, std::size_t>;

std::u32string without_spaces(const std::string& text) {
  std::u32string points = decode_utf8(text);
  points.erase(std::remove_if(points.begin(), points.end(), is_space), points.end());
  return points;
}

GramCounts count_ngrams(const std::u32string& text, std::size_t n) {
  GramCounts counts;
  for (std::size_t i = 0; i + n <= text.size(); ++i) ++counts[text.substr(i, n)];
  return counts;
}

Chrf compare(const std::u32string& hypothesis, const std::u32string& reference) {
  Chrf counts;
  for (std::size_t n = 1; n <= Chrf::order && n <= reference.size(); ++n) {
    const GramCounts wanted = count_ngrams(reference, n);
    counts.wanted[n - 1] = reference.size() - n + 1;
    for (const auto& [ngram, count] : count_ngrams(hypothesis, n)) {
      counts.written[n - 1] += count;
      const auto found = wanted.find(ngram);
      if (found != wanted.end()) counts.matches[n - 1] += std::min(count, found->second);
    }
  }
  return counts;
}

}  // namespace

void Chrf::add(const std::string& hypothesis, const std::vector<std::string>& references) {
  if (references.empty()) throw std::invalid_argument("Chrf::add: no reference to compare with");
  const std::u32string written_text = without_spaces(hypothesis);
  Chrf best;
  double best_score = -1;
  for (const std::string& reference : references) {
    const Chrf counts = compare(written_text, without_spaces(reference));
    if (counts.score() > best_score) {
      best = counts;
      best_score = counts.score();
    }
  }
  for (std::size_t n = 0; n < order; ++n) {
    matches[n] += best.matches[n];
    written[n] += best.written[n];
    wanted[n] += best.wanted[n];
  }
}

double Chrf::score() const {
  double precision = 0, recall = 0, orders = 0;
  for (std::size_t n = 0; n < order; ++n) {
    if (written[n] == 0) continue;  // if written[n] is above 0, wanted[n] is too
    precision += static_cast<double>(matches[n]) / static_cast<double>(written[n]);
    recall += static_cast<double>(matches[n]) / static_cast<double>(wanted[n]);
    orders += 1;
  }
  if (precision + recall == 0) return 0;
  precision /= orders;
  recall /= orders;
  constexpr double beta2 = 2 * 2;
  return 100 * (1 + beta2) * precision * recall / (beta2 * precision + recall);
}

}  // namespace softalign::data
