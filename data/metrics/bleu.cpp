#include "data/metrics/bleu.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <unordered_map>

namespace softalign::data {
namespace {

using Counts = std::unordered_map<std::string, size_t>;

// All n-grams of one length; tokens hold no white space, so a space separates them.
Counts count_ngrams(const Tokens& words, size_t n) {
  Counts counts;
  for (size_t i = 0; i + n <= words.size(); ++i) ++counts[join_words({words.begin() + i, words.begin() + i + n})];
  return counts;
}

}  // namespace

void Bleu::add(const Tokens& hypothesis, const std::vector<Tokens>& references) {
  if (references.empty()) throw std::invalid_argument("Bleu::add: no reference to compare with");
  const auto distance = [&](const Tokens& reference) {
    return std::max(reference.size(), hypothesis.size()) - std::min(reference.size(), hypothesis.size());
  };
  written += hypothesis.size();
  wanted += std::min_element(references.begin(), references.end(), [&](const Tokens& a, const Tokens& b) {
              return std::pair(distance(a), a.size()) < std::pair(distance(b), b.size());
            })->size();
  for (size_t n = 1; n <= order; ++n) {
    Counts most;  // in any one reference
    for (const Tokens& reference : references) {
      for (const auto& [ngram, count] : count_ngrams(reference, n)) most[ngram] = std::max(most[ngram], count);
    }
    for (const auto& [ngram, count] : count_ngrams(hypothesis, n)) {
      total[n - 1] += count;
      const auto found = most.find(ngram);
      if (found != most.end()) matches[n - 1] += std::min(count, found->second);
    }
  }
}

std::array<double, Bleu::order> Bleu::precisions() const {
  std::array<double, order> p{};
  if (matches[0] == 0) return p;
  double part = 1;
  for (size_t n = 0; n < order && total[n] > 0; ++n) {
    if (matches[n] == 0) part /= 2;
    const double count = matches[n] == 0 ? part : static_cast<double>(matches[n]);
    p[n] = 100 * count / static_cast<double>(total[n]);
  }
  return p;
}

double Bleu::brevity_penalty() const {
  if (written >= wanted) return 1;
  return std::exp(1 - static_cast<double>(wanted) / static_cast<double>(written));  // nothing written: exp(-inf) = 0
}

double Bleu::score() const {
  double sum = 0;
  for (const double p : precisions()) sum += std::log(p);  // log 0 = -inf, and exp(-inf) = 0
  return brevity_penalty() * std::exp(sum / order);
}

}  // namespace softalign::data
