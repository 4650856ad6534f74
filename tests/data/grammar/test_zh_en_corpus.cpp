// The committed Chinese-English corpus: its word order differs, its words can be learned, and the grammar licenses it.
// test_make_corpus.py checks that the grammar and the seed give these files byte for byte.
#include <map>
#include <set>

#include "data/corpus/pharaoh.h"
#include "data/corpus/readers.h"
#include "data/grammar/grammar.h"
#include "data/grammar/read_grammar.h"
#include "data/metrics/aer.h"
#include "data/text/tokenizer.h"
#include "tests/catch.h"
#include "tests/data/alignment/aligners.h"
#include "tests/data/grammar/licence.h"
#include "tests/folders.h"

using namespace softalign;
using namespace data;

namespace {

const std::string folder = testing::source_folder() + "/data/zh-en/";

std::vector<Pair> pairs_of(const std::string& name) { return read_tsv(folder + name + ".tsv").pairs; }

}  // namespace

TEST_CASE("zh-en corpus: rules license every gold link of the test pairs") {
  const Grammar grammar = read_grammar(folder + "zh-en.grammar");
  for (const Pair& pair : pairs_of("test")) {
    CAPTURE(join_words(pair.source), join_words(pair.target), format_gold(*pair.gold));
    REQUIRE(testing::licensed(grammar, pair));
    Pair fewer = pair;
    fewer.gold->sure.pop_back();
    REQUIRE_FALSE(testing::licensed(grammar, fewer));
  }
}

TEST_CASE("zh-en corpus: the diagonal does not align it, one link per word nearly does") {
  AlignmentScore diagonal, single;
  for (const Pair& pair : pairs_of("test")) {
    diagonal.add(testing::diagonal(pair), *pair.gold);
    single.add(testing::best_single(pair), *pair.gold);
  }
  CAPTURE(diagonal.aer(), single.aer());
  CHECK(diagonal.aer() >= 0.40);
  CHECK(single.aer() <= 0.05);
}

TEST_CASE("zh-en corpus: training has the words of valid and test, and no sentence occurs twice") {
  std::set<std::string> sources, targets, words;
  for (const std::string name : {"train", "valid", "test"}) {
    for (const Pair& pair : pairs_of(name)) {
      CAPTURE(name, join_words(pair.source));
      REQUIRE(sources.insert(join_words(pair.source)).second);
      REQUIRE(targets.insert(join_words(pair.target)).second);
      for (const Tokens& side : {pair.source, pair.target}) {
        for (const std::string& word : side) {
          CAPTURE(word);
          if (name == "train") words.insert(word);
          REQUIRE(words.count(word) == 1);
        }
      }
    }
  }
  for (const std::string kept : {"我 爱 深度 学习", "我 爱 深度 学习 。", "请 把 门 关上"})
    CHECK(sources.count(kept) == 0);
}

TEST_CASE("zh-en corpus: tokenising changes no word, and detokenising restores the lines") {
  for (const std::string name : {"train", "valid", "test"}) {
    for (const Pair& pair : pairs_of(name)) {
      for (const Tokens& side : {pair.source, pair.target}) {
        CAPTURE(join_words(side));
        REQUIRE(tokenize(join_words(side)) == side);
        REQUIRE(tokenize(detokenize(side)) == side);
      }
    }
  }
}
