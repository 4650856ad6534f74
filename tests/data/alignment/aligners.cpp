#include "tests/data/alignment/aligners.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

using namespace softalign;
using namespace data;

namespace testing {
namespace {

using Ids = std::vector<size_t>;

class Numbering {
 public:
  Ids operator()(const Tokens& words) {
    Ids ids;
    for (const std::string& word : words) ids.push_back(numbers_.emplace(word, numbers_.size()).first->second);
    return ids;
  }

 private:
  std::map<std::string, size_t> numbers_;
};

// p(f|e), indexed by the key of a source and a target word.
using Translation = std::unordered_map<size_t, double>;
size_t key(size_t e, size_t f) { return e * 1000000 + f; }
constexpr size_t empty_word = 999999;

double value(const Translation& table, size_t e, size_t f) {
  const auto found = table.find(key(e, f));
  return found == table.end() ? 0 : found->second;
}

}  // namespace

Links diagonal(const Pair& pair) {
  Links links;
  const size_t S = pair.source.size(), T = pair.target.size();
  for (size_t t = 0; t < T; ++t) links.push_back({(2 * t + 1) * S / (2 * T), t});
  return links;
}

Links best_single(const Pair& pair) {
  Links links;
  for (size_t t = 0; t < pair.target.size(); ++t) {
    for (const Links* kind : {&pair.gold->sure, &pair.gold->possible}) {
      const auto link = std::find_if(kind->begin(), kind->end(), [t](const Link& each) { return each.target == t; });
      if (link == kind->end()) continue;
      links.push_back(*link);
      break;
    }
  }
  return links;
}

std::vector<Links> ibm1(const std::vector<Pair>& train, const std::vector<Pair>& test, size_t rounds) {
  Numbering source_ids, target_ids;
  const auto encode = [&](const Pair& pair) {
    Ids source = source_ids(pair.source);
    source.push_back(empty_word);
    return std::make_pair(source, target_ids(pair.target));
  };
  std::vector<std::pair<Ids, Ids>> pairs;
  for (const Pair& pair : train) pairs.push_back(encode(pair));

  Translation p;
  for (const auto& [source, target] : pairs) {
    for (const size_t e : source) {
      for (const size_t f : target) p[key(e, f)] = 1;
    }
  }
  for (size_t round = 0; round < rounds; ++round) {
    Translation counts;
    std::map<size_t, double> totals;
    for (const auto& [source, target] : pairs) {
      for (const size_t f : target) {
        double sum = 0;
        for (const size_t e : source) sum += p[key(e, f)];
        for (const size_t e : source) {
          const double share = p[key(e, f)] / sum;
          counts[key(e, f)] += share;
          totals[e] += share;
        }
      }
    }
    for (auto& [pair, probability] : p) probability = counts[pair] / totals[pair / 1000000];
  }

  std::vector<Links> all;
  for (const Pair& pair : test) {
    const auto [source, target] = encode(pair);
    Links links;
    for (size_t t = 0; t < target.size(); ++t) {
      size_t best = source.size() - 1;
      for (size_t s = 0; s + 1 < source.size(); ++s) {
        if (value(p, source[s], target[t]) > value(p, source[best], target[t])) best = s;
      }
      if (best + 1 < source.size()) links.push_back({best, t});
    }
    all.push_back(links);
  }
  return all;
}

}  // namespace testing
