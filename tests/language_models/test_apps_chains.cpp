// The Markov chains of `reproduce n-grams`, and the predictions of counting.
#include "apps/language_models/chains.h"

#include "tests/catch.h"

using namespace softalign;

namespace {

using apps::ChainTexts;
using autograd::Random;

}  // namespace

TEST_CASE(
    "chains: predictions are smoothed counts of all words or of words after the last word's earlier occurrences") {
  Random random(1);
  ChainTexts texts(5, 1, random);
  texts.words = {2, 3, 2, 2, 3}, texts.next = {3, 2, 2, 3, 0};
  CHECK(texts.unigrams(0, 0)[2] == Approx(2.0 / 7));
  CHECK(texts.unigrams(0, 4)[3] == Approx(3.0 / 11));
  CHECK(texts.bigrams(0, 0)[3] == Approx(1.0 / 6));  // no word has been seen yet
  CHECK(texts.bigrams(0, 2)[3] == Approx(2.0 / 7));
  CHECK(texts.bigrams(0, 3)[3] == Approx(2.0 / 8));
  CHECK(texts.bigrams(0, 3)[2] == Approx(2.0 / 8));
  CHECK(texts.bigrams(0, 4)[2] == Approx(2.0 / 7));
}

TEST_CASE("chains: words follow each other with the probabilities of their text's chain") {
  constexpr std::size_t n = 6000, B = 2, V = ChainTexts::V;
  Random random(2);
  const ChainTexts texts(n, B, random);
  CHECK(texts.chain[0] != texts.chain[V * V]);
  for (std::size_t b = 0; b < B; ++b)
    for (std::size_t i = 0; i < V; ++i) {
      std::vector<double> counts(V);
      double all = 0, sum = 0;
      for (std::size_t t = 0; t < n; ++t) {
        if (t + 1 < n) CHECK(texts.next[t * B + b] == texts.words[(t + 1) * B + b]);
        if (static_cast<std::size_t>(texts.words[t * B + b]) != i) continue;
        ++counts[static_cast<std::size_t>(texts.next[t * B + b])], ++all;
      }
      for (std::size_t j = 0; j < V; ++j) {
        const double p = texts.chain[(b * V + i) * V + j];
        sum += p;
        if (all > 500) CHECK(counts[j] / all == Approx(p).margin(0.07));
      }
      CHECK(sum == Approx(1));
    }
  Random again(2), other(3);
  CHECK(ChainTexts(n, B, again).words == texts.words);
  CHECK(ChainTexts(n, B, other).words != texts.words);
}
