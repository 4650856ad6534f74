// Corpora with other word orders, sampled as the comments of their grammars describe. The word order of their two sides
// differs, their words can be learned, and the grammar licenses them.
#include <algorithm>
#include <map>
#include <set>

#include "data/corpus/pharaoh.h"
#include "data/grammar/grammar.h"
#include "data/grammar/read_grammar.h"
#include "data/grammar/sampler.h"
#include "data/metrics/aer.h"
#include "data/text/tokenizer.h"
#include "tests/catch.h"
#include "tests/data/alignment/aligners.h"
#include "tests/data/grammar/licence.h"
#include "tests/folders.h"

using namespace softalign;
using namespace data;

namespace {

struct SyntheticExample {
  Grammar grammar;
  std::vector<Pair> train, test;
};

const SyntheticExample& drawn(const std::string& name, size_t max_length) {
  static std::map<std::string, SyntheticExample> all;
  if (const auto known = all.find(name); known != all.end()) return known->second;
  SyntheticExample d{read_grammar(testing::source_folder() + "/data/orders/" + name + ".grammar"), {}, {}};
  std::vector<Pair> pairs = sample_corpus(d.grammar, {.pairs = 6400, .max_length = max_length});
  d.test.assign(pairs.end() - 200, pairs.end());
  pairs.resize(6000);
  d.train = std::move(pairs);
  return all.emplace(name, std::move(d)).first->second;
}
const SyntheticExample& japanese() { return drawn("ja-en", 14); }
const SyntheticExample& latin() { return drawn("la-en", 12); }

bool has_tag(const Pair& pair, const std::string& tag) {
  return std::find(pair.tags.begin(), pair.tags.end(), tag) != pair.tags.end();
}

}  // namespace

TEST_CASE("corpora of other orders: rules license every gold link of the test pairs") {
  for (const SyntheticExample* d : {&japanese(), &latin()})
    for (const Pair& pair : d->test) {
      CAPTURE(join_words(pair.source), join_words(pair.target), format_gold(*pair.gold));
      REQUIRE(testing::licensed(d->grammar, pair));
      Pair fewer = pair;
      fewer.gold->sure.pop_back();
      REQUIRE_FALSE(testing::licensed(d->grammar, fewer));
    }
}

TEST_CASE("corpora of other orders: the diagonal does not align them, one link per word nearly does") {
  for (const SyntheticExample* d : {&japanese(), &latin()}) {
    AlignmentScore diagonal, single;
    for (const Pair& pair : d->test) {
      diagonal.add(testing::diagonal(pair), *pair.gold);
      single.add(testing::best_single(pair), *pair.gold);
    }
    CAPTURE(d->grammar.file, diagonal.aer(), single.aer());
    CHECK(diagonal.aer() >= 0.40);
    CHECK(single.aer() <= 0.05);
  }
}

TEST_CASE("corpora of other orders: training has the words of the test pairs often enough") {
  for (const SyntheticExample* d : {&japanese(), &latin()}) {
    std::set<std::string> words;
    for (const Pair& pair : d->train) {
      words.insert(pair.source.begin(), pair.source.end());
      words.insert(pair.target.begin(), pair.target.end());
    }
    size_t unknown = 0;
    for (const Pair& pair : d->test)
      for (const Tokens& side : {pair.source, pair.target})
        for (const std::string& word : side) unknown += words.count(word) == 0;
    CAPTURE(d->grammar.file);
    CHECK(unknown <= 10);
  }
}

TEST_CASE("corpora of other orders: tokenising changes no word, and detokenising restores the lines") {
  for (const SyntheticExample* d : {&japanese(), &latin()})
    for (const Pair& pair : d->test)
      for (const Tokens& side : {pair.source, pair.target}) {
        CAPTURE(join_words(side));
        REQUIRE(tokenize(join_words(side)) == side);
        REQUIRE(tokenize(detokenize(side)) == side);
      }
}

// In Japanese, the negation ません comes last in the clause. A sure link must join it with the English "not".
TEST_CASE("ja-en: the verb's suffixes are at the end of the source and before the middle of the target") {
  size_t denied = 0;
  for (const Pair& pair : japanese().train) {
    const auto no = std::find(pair.target.begin(), pair.target.end(), "not");
    const auto masen = std::find(pair.source.begin(), pair.source.end(), "ません");
    if (no == pair.target.end() || masen == pair.source.end()) continue;
    ++denied;
    const auto s = static_cast<size_t>(masen - pair.source.begin());
    const auto t = static_cast<size_t>(no - pair.target.begin());
    const bool linked = std::any_of(pair.gold->sure.begin(), pair.gold->sure.end(),
                                    [&](const Link& link) { return link.source == s && link.target == t; });
    const bool two = std::count(pair.source.begin(), pair.source.end(), "ません") > 1 ||
                     std::count(pair.target.begin(), pair.target.end(), "not") > 1;
    if (!two && has_tag(pair, "negation")) {
      CAPTURE(join_words(pair.source), join_words(pair.target));
      REQUIRE(linked);
    }
  }
  CHECK(denied > 200);
}

TEST_CASE("la-en: each of the six orders occurs, and the endings mark subject and object") {
  std::map<std::string, size_t> orders;
  for (const Pair& pair : latin().train)
    for (const std::string& tag : pair.tags) ++orders[tag];
  for (const std::string order : {"sov", "svo", "osv", "ovs", "vso", "vos", "hyperbaton"}) {
    CAPTURE(order);
    CHECK(orders[order] >= 100);
  }

  // The three words occur in every order, always with the same translation.
  std::vector<std::string> words{"amat", "puella", "rosam"};
  do {
    Pair pair;
    pair.source = words;
    pair.target = {"the", "girl", "loves", "the", "rose"};
    pair.gold.emplace();
    for (size_t s = 0; s < words.size(); ++s) {
      if (words[s] == "amat") pair.gold->sure.push_back({s, 2});
      if (words[s] == "puella") pair.gold->sure.push_back({s, 1}), pair.gold->possible.push_back({s, 0});
      if (words[s] == "rosam") pair.gold->sure.push_back({s, 4}), pair.gold->possible.push_back({s, 3});
    }
    CAPTURE(join_words(words));
    CHECK(testing::licensed(latin().grammar, pair));
    pair.target = {"the", "rose", "loves", "the", "girl"};
    CHECK_FALSE(testing::licensed(latin().grammar, pair));
  } while (std::next_permutation(words.begin(), words.end()));
}
