// Training of the alignment layer: generated corpora, unknown words, and the same bytes for any number of threads.
#include "models/alignment/alignment_training.h"

#include <algorithm>
#include <limits>

#include "autograd/threads/blas.h"
#include "data/alignment/argmax_links.h"
#include "data/alignment/em/learnt_links.h"
#include "data/metrics/aer.h"
#include "models/training/step.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using namespace models;
using autograd::Random;
using data::Links;
using data::Pair;

struct LinkedPairs {
  std::vector<Pair> pairs;
  std::vector<Links> gold;
};

std::string random_word(Random& random) {
  std::string word;
  for (std::size_t i = 0; i < 3; ++i) {
    word += "bdfgklmnprstvz"[random.below(14)];
    word += "aeiou"[random.below(5)];
  }
  return word;
}

// The words of a language, and the translation of each word.
struct Dictionary {
  std::vector<std::string> source, target;
};

// Sentences of 3 to 8 words. Two neighbours are swapped half of the time. Before about every fourth word, the target
// has the word "ze", which has no link.
LinkedPairs generated(const Dictionary& words, std::size_t n, Random& random) {
  LinkedPairs all;
  for (std::size_t k = 0; k < n; ++k) {
    Pair pair;
    Links links;
    std::vector<std::size_t> order(3 + random.below(6));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < order.size(); ++i) {
      chosen.push_back(random.below(words.source.size()));
      pair.source.push_back(words.source[chosen.back()]);
    }
    for (std::size_t i = 0; i + 1 < order.size(); i += 2)
      if (random.uniform() < 0.5) std::swap(order[i], order[i + 1]);
    for (const std::size_t j : order) {
      if (random.uniform() < 0.25) pair.target.emplace_back("ze");
      links.push_back({j, pair.target.size()});
      pair.target.push_back(words.target[chosen[j]]);
    }
    std::sort(links.begin(), links.end());
    all.pairs.push_back(std::move(pair));
    all.gold.push_back(std::move(links));
  }
  return all;
}

double aer(const AlignmentLayer& layer, const LinkedPairs& test) {
  data::AlignmentScore score;
  for (std::size_t i = 0; i < test.pairs.size(); ++i) {
    const Pair& pair = test.pairs[i];
    const auto found = layer.align({&pair}).front();
    score.add(data::argmax_links(found.weights, pair.source.size(), pair.target.size()), {test.gold[i], {}});
  }
  return 100 * score.aer();
}

AlignmentTrainingOptions small(std::size_t epochs) {
  return {.layer = {.embedding = 32, .hidden = 32, .grams = 4096}, .epochs = epochs, .least_batches = 300, .batch = 32};
}

// Options of a training that starts but does not have to learn anything.
AlignmentTrainingOptions smallest() {
  AlignmentTrainingOptions options = small(1);
  options.layer = {.embedding = 4, .hidden = 4, .grams = 64};
  return options;
}

}  // namespace

TEST_CASE("alignment layer: it learns a generated language from EM's links, and aligns new sentences") {
  Random random(1);
  Dictionary words;
  for (std::size_t i = 0; i < 60; ++i)
    words.source.push_back(random_word(random)), words.target.push_back(random_word(random));
  const LinkedPairs train = generated(words, 800, random), test = generated(words, 100, random);
  const std::vector<Links> links = data::learn_links(train.pairs);
  std::size_t last = 0, of_all = 0;
  const AlignmentLayer layer =
      train_alignment_layer(train.pairs, links, small(4), [&](const AlignmentProgress& progress) {
        CHECK(progress.done > last);
        last = progress.done, of_all = progress.pairs;
      });
  CHECK(last == of_all);
  CHECK(aer(layer, test) < 2);
}

TEST_CASE("alignment layer: an unknown word is aligned by n-grams that it has in common with its translation") {
  Random random(2);
  // Source and target words have the same spelling except for their ends. No test word occurs in training.
  const auto cognates = [&](std::size_t n) {
    Dictionary words;
    for (std::size_t i = 0; i < n; ++i) {
      const std::string stem = random_word(random);
      words.source.push_back(stem + "n");
      words.target.push_back(stem + "e");
    }
    return words;
  };
  const LinkedPairs train = generated(cognates(200), 800, random), test = generated(cognates(200), 100, random);
  const AlignmentLayer layer = train_alignment_layer(train.pairs, train.gold, small(4));
  // In a copy of the test, target words share no n-grams with the source, so only positions help.
  LinkedPairs strange = test;
  for (Pair& pair : strange.pairs)
    for (std::string& word : pair.target)
      if (word != "ze") word = random_word(random);
  CHECK(aer(layer, test) < 15);
  CHECK(aer(layer, strange) > aer(layer, test) + 15);
}

TEST_CASE("alignment layer: the same seed gives the same bytes for any number of threads") {
  Random random(3);
  Dictionary words;
  for (std::size_t i = 0; i < 20; ++i)
    words.source.push_back(random_word(random)), words.target.push_back(random_word(random));
  const LinkedPairs train = generated(words, 70, random);
  AlignmentTrainingOptions options = small(1);
  options.layer = {.embedding = 8, .hidden = 8, .grams = 64};
  const int before = autograd::threads();
  std::vector<AlignmentLayer> layers;
  for (const int threads : {1, 2, 3}) {
    autograd::set_threads(threads);
    layers.push_back(train_alignment_layer(train.pairs, train.gold, options));
  }
  autograd::set_threads(before);
  options.seed = 2;
  const AlignmentLayer other = train_alignment_layer(train.pairs, train.gold, options);
  const auto& first = layers.front().params().all();
  for (std::size_t i = 0; i < first.size(); ++i) {
    INFO(first[i].name);
    for (const AlignmentLayer& layer : layers)
      CHECK(compare::same_bits(first[i].var.value(), layer.params().all()[i].var.value()));
    CHECK_FALSE(compare::same_bits(first[i].var.value(), other.params().all()[i].var.value()));
  }
}

TEST_CASE("alignment layer: pairs without links are left out, and without any link there is an error") {
  Random random(4);
  Dictionary words{{"a", "b", "c"}, {"x", "y", "z"}};
  LinkedPairs train = generated(words, 40, random);
  AlignmentTrainingOptions options = smallest();
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < 10; ++i) train.gold[i].clear();
  train_alignment_layer(train.pairs, train.gold, options, [&](const auto& p) { pairs = p.pairs; });
  CHECK(pairs == 30 * epochs_of(options, 30));
  for (Links& links : train.gold) links.clear();
  CHECK_THROWS_AS(train_alignment_layer(train.pairs, train.gold, options), std::invalid_argument);
}

TEST_CASE("alignment layer: diverging training stops with the same error as every training") {
  Random random(6);
  Dictionary words{{"a", "b", "c"}, {"x", "y", "z"}};
  const LinkedPairs train = generated(words, 40, random);
  AlignmentTrainingOptions options = smallest();
  options.learning_rate = static_cast<double>(std::numeric_limits<autograd::Real>::max());
  std::size_t done = 0;
  try {
    train_alignment_layer(train.pairs, train.gold, options, [&](const AlignmentProgress& now) { done = now.done; });
    FAIL("the training went on");
  } catch (const Diverged& error) {
    CHECK_THAT(error.what(), Catch::Contains("first parameter with NaN or Inf: "));
  }
  CHECK((done > 0 && done <= options.batch));  // the first update is too large; the second step finds it
}

TEST_CASE("alignment layer: training ends after the batch in which it is asked to stop") {
  Random random(5);
  Dictionary words{{"a", "b", "c"}, {"x", "y", "z"}};
  const LinkedPairs train = generated(words, 40, random);
  AlignmentTrainingOptions options = smallest();
  options.batch = 10;
  std::size_t done = 0, asked = 0;
  train_alignment_layer(
      train.pairs, train.gold, options, [&](const AlignmentProgress& progress) { done = progress.done; },
      [&] { return ++asked == 3; });
  CHECK(done == 30);
  CHECK(asked == 3);
  std::size_t rounds = 0;
  CHECK(data::learn_links(train.pairs, {}, [&] { return ++rounds == 2; }).empty());
  CHECK(rounds == 2);
}

// Two pairs of 60 words exceed the limit of a joined pair, so batches that join pairs keep these pairs single.
TEST_CASE("alignment layer: training reads every pair in every epoch, even if no pairs can be joined") {
  LinkedPairs train;
  for (std::size_t k = 0; k < 12; ++k) {
    Pair pair;
    pair.source.assign(60, "a");
    pair.target.assign(60, "x");
    train.pairs.push_back(pair);
    train.gold.push_back({{k, k}});
  }
  AlignmentTrainingOptions options = small(1);
  options.layer = {.embedding = 2, .hidden = 2, .grams = 16};
  options.batch = 3;
  AlignmentProgress last;
  train_alignment_layer(train.pairs, train.gold, options, [&](const AlignmentProgress& p) { last = p; });
  CHECK(last.words == last.epochs * 12 * 60);
}

TEST_CASE("alignment layer: small corpora are read more often") {
  AlignmentTrainingOptions options;
  CHECK(epochs_of(options, 80000) == 6);
  CHECK(epochs_of(options, 10000) == 13);
  CHECK(epochs_of(options, 100) == 32);
}
