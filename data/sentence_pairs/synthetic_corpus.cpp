#include "data/sentence_pairs/synthetic_corpus.h"

#include <algorithm>

#include "data/sentence_pairs/sentence_pairs.h"
#include "data/sentence_pairs/synthetic_pairs.h"

namespace softalign::data {

// Articles are not linked: all of them are alike.
SyntheticExample premise_and_hypothesis(autograd::Random& random) {
  const Entailment pair = draw_entailment(random);
  Links between;
  for (size_t j = 0; j < pair.gold.size(); ++j)
    if (pair.gold[j] && pair.hypothesis[j] != "a") between.push_back({*pair.gold[j], j});
  std::sort(between.begin(), between.end());
  const std::string line =
      format_sentence_pair(pair.premise, pair.hypothesis, std::string(entailment_labels[pair.label]), between);
  return {line, line, {}};
}

}  // namespace softalign::data
