// The committed toy corpus must have certain properties, follow from its grammar and seed, and be licensed by the
// grammar.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "data/corpus/pharaoh.h"
#include "data/corpus/readers.h"
#include "data/grammar/grammar.h"
#include "data/grammar/read_grammar.h"
#include "data/grammar/sampler.h"
#include "data/io/files.h"
#include "data/metrics/aer.h"
#include "data/text/tokenizer.h"
#include "tests/catch.h"
#include "tests/data/alignment/aligners.h"
#include "tests/data/grammar/licence.h"
#include "tests/folders.h"

using namespace softalign;
using namespace data;

namespace {

const std::string folder = testing::source_folder() + "/data/toy/";

const Grammar& grammar() {
  static const Grammar read = read_grammar(folder + "en-fr.grammar");
  return read;
}

const std::vector<Pair>& pairs_of(const std::string& name) {
  static std::map<std::string, std::vector<Pair>> read;
  if (!read.count(name)) read[name] = read_tsv(folder + name + ".tsv").pairs;
  return read[name];
}

const std::vector<std::string> splits{"train", "valid", "test", "long"};

template <class Align>
double aer(const std::vector<Pair>& pairs, Align align) {
  AlignmentScore score;
  for (size_t i = 0; i < pairs.size(); ++i) score.add(align(i), *pairs[i].gold);
  return score.aer();
}

double possible_share(const std::vector<Pair>& pairs) {
  double possible = 0, all = 0;
  for (const Pair& pair : pairs) {
    possible += static_cast<double>(pair.gold->possible.size());
    all += static_cast<double>(pair.gold->possible.size() + pair.gold->sure.size());
  }
  return possible / all;
}

// Whether no two links cross.
bool monotone(const Pair& pair) {
  Links links = pair.gold->sure;
  links.insert(links.end(), pair.gold->possible.begin(), pair.gold->possible.end());
  for (const Link& a : links) {
    for (const Link& b : links) {
      if (a.source < b.source && a.target > b.target) return false;
    }
  }
  return true;
}

double monotone_share(const std::vector<Pair>& pairs) {
  return static_cast<double>(std::count_if(pairs.begin(), pairs.end(), monotone)) / static_cast<double>(pairs.size());
}

std::map<std::string, size_t> tag_counts(const std::vector<Pair>& pairs) {
  std::map<std::string, size_t> counts;
  for (const Pair& pair : pairs) {
    for (const std::string& tag : pair.tags) ++counts[tag];
  }
  return counts;
}

double mean_length(const std::vector<Pair>& pairs, Tokens Pair::*side) {
  size_t words = 0;
  for (const Pair& pair : pairs) words += (pair.*side).size();
  return static_cast<double>(words) / static_cast<double>(pairs.size());
}

}  // namespace

TEST_CASE("toy corpus: its alignments are neither trivial nor impossible to learn") {
  const std::vector<Pair>&train = pairs_of("train"), &test = pairs_of("test");
  const std::vector<Links> by_ibm1 = testing::ibm1(train, test);
  const double diagonal = aer(test, [&](size_t i) { return testing::diagonal(test[i]); });
  const double ibm1 = aer(test, [&](size_t i) { return by_ibm1[i]; });
  const double single = aer(test, [&](size_t i) { return testing::best_single(test[i]); });
  fmt::print(
      "toy corpus, test.tsv: AER of the diagonal {:.3f}, of IBM model 1 trained on train.tsv {:.3f}, of the "
      "best single link per target word {:.3f}\n",
      diagonal, ibm1, single);
  CHECK(diagonal >= 0.35);
  CHECK(diagonal <= 0.50);
  CHECK(ibm1 >= 0.09);
  CHECK(ibm1 <= 0.20);  // the aligner has learned something
  CHECK(single <= 0.02);
}

TEST_CASE("toy corpus: it has possible links, monotone pairs and tags") {
  for (const std::string name : {"train", "valid", "test"}) {
    const std::vector<Pair>& pairs = pairs_of(name);
    fmt::print(
        "toy corpus, {}.tsv: {:.1f}% of the links possible, {:.1f}% of the pairs monotone, {:.2f} and {:.2f} "
        "words a side\n",
        name, 100 * possible_share(pairs), 100 * monotone_share(pairs), mean_length(pairs, &Pair::source),
        mean_length(pairs, &Pair::target));
    CHECK(possible_share(pairs) <= 0.20);  // possible links come from "est -ce que", "s' il vous plaît"
    CHECK(monotone_share(pairs) <= 0.40);  // visitors type mostly short, monotone sentences
  }
  std::map<std::string, size_t> train = tag_counts(pairs_of("train")), test = tag_counts(pairs_of("test"));
  std::set<std::string> declared;
  for (const Rule& rule : grammar().rules) declared.insert(rule.tags.begin(), rule.tags.end());
  for (const WordClass& words : grammar().classes) {
    for (const Lexeme& lexeme : words.lexemes) declared.insert(lexeme.tags.begin(), lexeme.tags.end());
  }
  CHECK(declared == std::set<std::string>{"agreement", "clitic", "compound", "coordination", "dropped-do", "fixed",
                                          "inversion", "many-to-one", "negation", "no-inversion", "one-to-many", "past",
                                          "possessive", "progressive", "question", "relative"});
  declared.insert("contraction");  // this tag belongs to the phonology
  for (const std::string& tag : declared) {
    fmt::print("toy corpus, tag {}: {} pairs of train, {} of test\n", tag, train[tag], test[tag]);
    CHECK(train[tag] >= 150);
    CHECK(test[tag] >= 20);
  }
}

TEST_CASE("toy corpus: it has the documented sizes and lengths") {
  const std::map<std::string, size_t> sizes{{"train", 30000}, {"valid", 500}, {"test", 500}, {"long", 600}};
  for (const auto& [name, size] : sizes) CHECK(pairs_of(name).size() == size);
  for (const std::string name : {"train", "valid", "test"}) {
    for (const Pair& pair : pairs_of(name)) {
      REQUIRE(std::max(pair.source.size(), pair.target.size()) <= 25);
    }
  }
  std::map<size_t, size_t> lengths;
  for (const Pair& pair : pairs_of("long")) ++lengths[pair.source.size()];
  CHECK(lengths.begin()->first == 5);
  CHECK(lengths.rbegin()->first == 60);
  CHECK(lengths.size() == 56);
  for (const auto& [length, count] : lengths) {
    CAPTURE(length);
    CHECK((count == 10 || count == 11));
  }
}

TEST_CASE("toy corpus: no sentence occurs in two files, and no file contains the demonstration") {
  std::set<std::string> sources, targets;
  for (const std::string& name : splits) {
    for (const Pair& pair : pairs_of(name)) {
      CAPTURE(join_words(pair.source));
      REQUIRE(sources.insert(join_words(pair.source)).second);
      REQUIRE(targets.insert(join_words(pair.target)).second);
    }
  }
  for (const std::string sentence :
       {"i love you", "i do not see the red car", "the zone of international control", "look it up"}) {
    CHECK(sources.count(sentence) == 0);
    CHECK(std::count(grammar().reserved.begin(), grammar().reserved.end(), split_words(sentence)) == 1);
  }
  CHECK(targets.count("je t' aime") == 0);
}

TEST_CASE("toy corpus: every word can be learned") {
  for (const auto side : {&Pair::source, &Pair::target}) {
    std::map<std::string, size_t> train;
    for (const Pair& pair : pairs_of("train")) {
      for (const std::string& word : pair.*side) ++train[word];
    }
    const auto rarest =
        std::min_element(train.begin(), train.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    fmt::print("toy corpus, train.tsv: {} different words on the {} side, the rarest {} times ({})\n", train.size(),
               side == &Pair::source ? "English" : "French", rarest->second, rarest->first);
    const auto rare = std::count_if(train.begin(), train.end(), [](const auto& word) { return word.second < 3; });
    CHECK(rare * 100 <= static_cast<std::ptrdiff_t>(train.size()) * 3);
    for (const std::string& name : splits) {
      for (const Pair& pair : pairs_of(name)) {
        for (const std::string& word : pair.*side) {
          CAPTURE(name, word);
          REQUIRE(train.count(word) == 1);
        }
      }
    }
  }
}

TEST_CASE("toy corpus: tokenising changes no line, and detokenising restores the lines") {
  for (const std::string& name : splits) {
    for (const Pair& pair : pairs_of(name)) {
      for (const Tokens& side : {pair.source, pair.target}) {
        CAPTURE(join_words(side));
        REQUIRE(tokenize(join_words(side)) == side);
        REQUIRE(tokenize(detokenize(side)) == side);
      }
    }
  }
}

TEST_CASE("toy corpus: the grammar and the seed give the committed files, byte for byte") {
  SampleOptions options;
  options.pairs = 31000;
  options.min_length = 1;
  options.seed = 1;
  const std::vector<Pair> drawn = sample_corpus(grammar(), options);
  const auto same = [&](size_t begin, size_t end, const std::string& name) {
    const std::vector<Pair> part(drawn.begin() + static_cast<std::ptrdiff_t>(begin),
                                 drawn.begin() + static_cast<std::ptrdiff_t>(end));
    return format_tsv(part) == read_bytes(folder + name + ".tsv");
  };
  // REQUIRE gets a named bool, because a failure must not print megabytes.
  const bool train = same(0, 30000, "train"), valid = same(30000, 30500, "valid"), test = same(30500, 31000, "test");
  CHECK(train);
  CHECK(valid);
  CHECK(test);

  SampleOptions far;
  far.pairs = 600;
  far.min_length = 5;
  far.max_length = 60;
  far.spread = true;
  far.seed = 2;
  const bool long_pairs = format_tsv(sample_corpus(grammar(), far, drawn)) == read_bytes(folder + "long.tsv");
  CHECK(long_pairs);
}

TEST_CASE("toy corpus: rules license every gold link") {
  size_t proved = 0;
  const auto prove = [&](const std::string& name, size_t every) {
    for (size_t i = 0; i < pairs_of(name).size(); i += every) {
      const Pair& pair = pairs_of(name)[i];
      CAPTURE(name, i, join_words(pair.source), join_words(pair.target), format_gold(*pair.gold));
      REQUIRE(testing::licensed(grammar(), pair));
      ++proved;
    }
  };
  prove("test", 1);
  prove("valid", 5);
  prove("train", 40);
  prove("long", 30);
  CHECK(proved == 500 + 100 + 750 + 20);
}

TEST_CASE("toy corpus: a pair with a changed link, word or link strength is not licensed") {
  const std::vector<Pair>& test = pairs_of("test");
  for (size_t i = 0; i < test.size(); i += 25) {
    const Pair& pair = test[i];
    CAPTURE(join_words(pair.source), join_words(pair.target), format_gold(*pair.gold));
    Pair fewer = pair;
    fewer.gold->sure.erase(fewer.gold->sure.begin());
    CHECK_FALSE(testing::licensed(grammar(), fewer));

    Pair weaker = pair;
    weaker.gold->possible.push_back(weaker.gold->sure.back());
    weaker.gold->sure.pop_back();
    std::sort(weaker.gold->possible.begin(), weaker.gold->possible.end());
    CHECK_FALSE(testing::licensed(grammar(), weaker));

    Pair more = pair;
    for (size_t s = 0; s < pair.source.size(); ++s) {
      const Link link{s, pair.target.size() - 1};
      if (std::count(pair.gold->sure.begin(), pair.gold->sure.end(), link)) continue;
      if (std::count(pair.gold->possible.begin(), pair.gold->possible.end(), link)) continue;
      more.gold->sure.push_back(link);
      std::sort(more.gold->sure.begin(), more.gold->sure.end());
      CHECK_FALSE(testing::licensed(grammar(), more));
      break;
    }

    if (pair.target.front() == pair.target.back()) continue;
    Pair other = pair;
    std::swap(other.target.front(), other.target.back());
    CHECK_FALSE(testing::licensed(grammar(), other));
  }
}
