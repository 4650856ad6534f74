#include "apps/experiments/real_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/experiments/test_seed.h"
#include "autograd/random.h"

namespace softalign::apps {

namespace {

void append(data::Links& links, const data::Links& more, const data::Pair& before) {
  for (const data::Link& link : more)
    links.push_back({link.source + before.source.size(), link.target + before.target.size()});
}

}  // namespace

std::vector<data::Pair> joined(const std::vector<data::Pair>& pairs, std::size_t size) {
  std::vector<data::Pair> all;
  for (std::size_t i = 0; i < pairs.size(); i += size) {
    data::Pair one;
    data::Gold gold;
    bool has_gold = true;
    for (std::size_t k = i; k < std::min(i + size, pairs.size()); ++k) {
      const data::Pair& pair = pairs[k];
      has_gold = has_gold && pair.gold;
      if (has_gold) append(gold.sure, pair.gold->sure, one), append(gold.possible, pair.gold->possible, one);
      one.source.insert(one.source.end(), pair.source.begin(), pair.source.end());
      one.target.insert(one.target.end(), pair.target.begin(), pair.target.end());
    }
    if (has_gold) one.gold = std::move(gold);
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<data::Pair> with_unknown_words(std::vector<data::Pair> pairs, double share) {
  autograd::Random random(test_seed);
  for (data::Pair& pair : pairs)
    for (data::Tokens* side : {&pair.source, &pair.target})
      for (std::string& word : *side)
        if (random.uniform() < share) {
          const std::size_t letters = word.find_last_not_of(".,;:!?") + 1;
          if (letters > 0) word.replace(0, letters, fmt::format("zq{}", random.below(1'000'000)));
        }
  return pairs;
}

data::Links diagonal_links(const data::Pair& pair) {
  const std::size_t S = pair.source.size(), T = pair.target.size();
  data::Links links;
  for (std::size_t i = 0; i < T; ++i) links.push_back({(2 * i + 1) * S / (2 * T), i});
  return links;
}

}  // namespace softalign::apps
